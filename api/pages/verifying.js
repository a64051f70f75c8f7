/** A match verified in the page, or a bundle that was dropped onto it; no account is needed for that. */

import { h, show } from "./dom.js";
import { request } from "./server.js";
import { verify } from "./verify.js";

const MEANINGS = {
  format: "Lines that have the shape of a log",
  chain: "Hashes that fit the events before them",
  commitments: "Secret parts that fit what was committed to",
  seed: "The seed is the one that was promised",
  salts: "Salts that come from the seed",
  draws: "Dice, shuffles and lots that come from the seed",
};

export class VerifyPage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.match = new URLSearchParams(location.search).get("match");
    this.progress = 0;
    /** @type {any} */
    this.report = null;
    this.name = "";
  }

  async open() {
    this.draw();
    if (this.match) {
      this.name = "this match";
      await this.judge(await request("GET", `/v1/matches/${this.match}/events`, undefined, { Accept: "application/x-ndjson" }));
    }
  }

  close() {}

  /** @param {string} text */
  async judge(text) {
    this.report = null;
    this.report = await verify(text, (done, all) => { this.progress = done / all; this.draw(); });
    this.draw();
  }

  /** @param {File | undefined} file */
  async take(file) {
    if (!file) return;
    this.name = file.name;
    if (file.size > 256 * 1024 * 1024) {
      this.report = { checks: {}, wrong: new Error("The file is larger than 256 MB."), version: 0, head: "" };
      return this.draw();
    }
    const zipped = file.name.endsWith(".gz");
    const text = zipped ? await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text() : await file.text();
    await this.judge(text);
  }

  draw() {
    show(this.root, h("section.verify", { "data-key": "verify",
        ondragover: null },
      h("h1", null, "Verify a match"),
      h("p", null, "The log of a match is checked here, in this page: nothing is sent anywhere, and the server need not be trusted."),
      h("label.drop", null, "Choose a bundle or a log, or drop it here",
        h("input", { type: "file", accept: ".ndjson,.gz,.json,.txt", onchange: (/** @type {any} */ chosen) => this.take(chosen.target.files[0]) })),
      this.report ? this.verdict() : this.progress > 0 && h("progress", { value: this.progress, max: 1 }, `${Math.round(100 * this.progress)} %`)));
    this.root.ondragover = (dragged) => dragged.preventDefault();
    this.root.ondrop = (dropped) => { dropped.preventDefault(); this.take(dropped.dataTransfer?.files[0]); };
  }

  verdict() {
    const { wrong, checks, match, game, version, head } = this.report;
    return h("div.verdict", { class: wrong ? "bad" : "good", role: "status", "data-verdict": wrong ? "wrong" : "fits" },
      h("h2", null, wrong ? "Something does not fit" : "All that could be checked fits"),
      wrong && h("p", null, h("b", null, wrong.message), wrong.version && this.match && h("a", { href: `/matches/${this.match}/replay?at=${wrong.version}` }, " look at it")),
      match && h("p", null, `${this.name}: ${game}, ${version} events`),
      h("table", null, h("tbody", null, Object.entries(checks).map(([kind, check]) => h("tr", { class: wrong?.kind === kind ? "wrong" : "" },
        h("td", null, wrong?.kind === kind ? "✗" : check.ok ? "✓" : "–"), h("td", null, MEANINGS[/** @type {keyof typeof MEANINGS} */ (kind)]), h("td.figure", null, check.ok),
        h("td", null, Object.entries(check.unchecked).map(([reason, count]) => `${count} not checked: ${reason}`).join("; ")))))),
      head && !wrong && h("p", null, "The last hash is ", h("code", null, head)));
  }
}
