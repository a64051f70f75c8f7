/** A match verified in the page, or a bundle that was dropped onto it; no account is needed for that. */

import { h, show } from "./dom.js";
import { opened } from "./server.js";
import { verify } from "./verify.js";

/** @type {Record<string, string>} */
const MEANINGS = {
  format: "Lines have the shape of a log",
  chain: "Hashes fit the event and all before it",
  commitments: "Secret parts fit what was committed to",
  seed: "The seed is the one that was promised",
  salts: "Salts come from the seed",
  draws: "Dice, shuffles and lots come from the seed",
  deals: "Everybody got the cards that were shuffled",
};
const CANNOT = "A browser computes hashes only on pages that come by https or from its own machine, and this one does not. " +
  "Save the bundle, and check it with parlor verify FILE.";
const SHOWN = 2000; // characters of the line that is wrong

export class VerifyPage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.match = new URLSearchParams(location.search).get("match");
    this.lines = 0;
    /** @type {import("./verify.js").Report | null} */
    this.report = null;
    this.name = "";
    this.broken = ""; // the line that is wrong
    this.trouble = "";
    this.over = false; // whether a file is held over the page
    /** @type {[string, (happened: any) => void][]} */
    this.listeners = [
      ["dragover", (dragged) => { dragged.preventDefault(); this.hover(true); }],
      ["dragleave", (dragged) => { if (!dragged.relatedTarget) this.hover(false); }],
      ["drop", (dropped) => { dropped.preventDefault(); this.hover(false); this.take(dropped.dataTransfer?.files[0]); }],
    ];
  }

  async open() {
    this.close();
    for (const [name, listener] of this.listeners) window.addEventListener(name, listener);
    document.title = "Verify · Parlor";
    if (!isSecureContext) this.trouble = CANNOT;
    this.draw();
    if (!this.match || this.trouble) return;
    this.name = "the bundle of this match";
    await this.judge(await (await opened("GET", `/v1/matches/${this.match}/audit`)).blob());
  }

  close() {
    for (const [name, listener] of this.listeners) window.removeEventListener(name, listener);
    document.title = "Parlor";
  }

  /** @param {boolean} over */
  hover(over) {
    if (this.over === over) return;
    this.over = over;
    this.draw();
  }

  /** @param {Blob} file */
  async judge(file) {
    [this.report, this.broken, this.trouble, this.lines] = [null, "", "", 1];
    this.draw();
    const report = await verify(file, (done) => { this.lines = done; this.draw(); });
    const wrong = report.wrong?.version;
    if (wrong) this.broken = (await lineOf(file, wrong)) ?? "";
    this.report = report;
    this.lines = 0;
    this.draw();
  }

  /** A file from this machine. @param {File | undefined} file */
  async take(file) {
    if (!file || !isSecureContext) return;
    this.name = file.name;
    this.match = null;
    history.replaceState(null, "", "/verify");
    try {
      await this.judge(file.name.endsWith(".gz") ? await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob() : file);
    } catch (error) {
      [this.report, this.lines] = [null, 0];
      this.trouble = `${file.name} cannot be read: ${error instanceof Error ? error.message : error}`;
      this.draw();
    }
  }

  draw() {
    show(this.root, h("section.verify", { "data-key": "verify" },
      h("h1", null, "Verify a match"),
      h("p", null, "A match is checked here, in this page: nothing is sent anywhere, and the server need not be trusted."),
      h("label.drop", { class: this.over ? "over" : "" }, "Choose a bundle or a log, or drop it anywhere on this page",
        h("input", { type: "file", accept: ".ndjson,.gz,.json,.txt", onchange: (/** @type {any} */ chosen) => this.take(chosen.target.files[0]) })),
      this.trouble && h("p.trouble", { role: "alert" }, this.trouble),
      h("div", { role: "status", "data-key": "outcome" }, this.report ? this.verdict(this.report) : this.lines > 0 && h("p", null, `${this.lines} lines are checked …`))));
  }

  /** @param {import("./verify.js").Report} report */
  verdict({ wrong, checks, match, game, version, head }) {
    const kinds = Object.entries(checks);
    const last = wrong ? kinds.findIndex(([kind]) => kind === wrong.kind) : -1;
    return h("div.verdict", { class: wrong ? "bad" : "good", "data-verdict": wrong ? "wrong" : "fits" },
      h("h2", null, wrong ? "Something does not fit" : "All that could be checked fits"),
      match && h("p", null, `${this.name}: ${game}, match ${match}, ${version} events`),
      wrong && h("p", null, h("b", { "data-breaks": wrong.version }, `It breaks here: ${wrong.message}.`), " ",
        wrong.version > 0 && this.match && h("a", { href: `/matches/${this.match}/replay?at=${wrong.version}` }, "Look at it")),
      this.broken && h("details", null, h("summary", null, `The line of version ${wrong?.version}`), h("pre.line-text", { tabindex: 0 }, this.broken)),
      h("div.scrolled", { tabindex: 0, role: "region", "aria-label": "checks" }, h("table.checks", null,
        h("thead", null, h("tr", null, ["state", "check", "passed", "not checked"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", null, kinds.map(([kind, check], place) => this.row(kind, check, wrong?.kind === kind, last >= 0 && place > last && !check.ok)),
          h("tr", { "data-kind": "rules" }, h("td", null, "–"), h("td", null, "Every command follows the rules"), h("td.figure", null, "0"),
            h("td", null, "that takes the rules of the game: ", h("code", null, "parlor verify FILE")))))),
      head && !wrong && h("p", null, "The last hash is ", h("code", null, head)),
      this.match && h("p", null, h("a", { href: `/matches/${this.match}/replay` }, "To the replay")));
  }

  /**
   * @param {string} kind
   * @param {{ok: number, unchecked: Record<string, number>}} check
   * @param {boolean} wrong
   * @param {boolean} notReached
   */
  row(kind, check, wrong, notReached) {
    const reasons = Object.entries(check.unchecked).map(([reason, count]) => `${count}: ${reason}`);
    const [sign, name] = wrong ? ["✗", "wrong"] : check.ok ? ["✓", "passed"] : ["–", "not checked"];
    return h("tr", { class: wrong ? "wrong" : "", "data-kind": kind }, h("td", null, h("span", { role: "img", "aria-label": name }, sign)),
      h("td", null, MEANINGS[kind] ?? kind), h("td.figure", null, check.ok), h("td", null, notReached ? "not reached" : reasons.join("; ")));
  }
}

/** What stands in the file at a version. @param {Blob} file @param {number} version */
async function lineOf(file, version) {
  if (file.size > 1 << 24) return null;
  const lines = (await file.text()).split("\n");
  return lines[version - (lines[0].includes('"format"') ? 0 : 1)]?.slice(0, SHOWN);
}
