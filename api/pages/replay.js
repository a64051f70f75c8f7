/** A match looked through again: any moment, with the eyes of any seat that the reader may have. */

import { gliding, h, morph, show } from "./dom.js";
import { Scene } from "./scene.js";
import { Problem, get, sleep } from "./server.js";
import { drawTable } from "./table.js";

const PACES = [0.5, 1, 2, 5, 10]; // events a second
/** Events that are worth stopping at, whatever the game: something was counted, won, or happened to a seat. */
const REMARKABLE = /scored|ended|taken_over|resigned|timed_out|captured|hit|doubled|draw_|match_|bot_/;
const KEPT = 400; // views

export class ReplayPage {
  /** @param {HTMLElement} root @param {string} id */
  constructor(root, id) {
    this.root = root;
    this.id = id;
    const asked = new URLSearchParams(location.search);
    this.at = Number(asked.get("at")) || 0;
    /** @type {string | null} */
    this.as = asked.get("as");
    this.playing = false;
    this.pace = 1;
    /** @type {any[]} */
    this.events = [];
    /** @type {Map<string, any>} */
    this.views = new Map();
    this.open_page = true;
  }

  async open() {
    this.match = await get(`/v1/matches/${this.id}`);
    this.game = await get(`/v1/games/${this.match.game}`);
    this.board = this.match.board_href ? await get(this.match.board_href) : null;
    let after = 0;
    do {
      const page = await get(`/v1/matches/${this.id}/events?words=1&limit=1000&after=${after}`);
      this.events.push(...page.events);
      after = page.next;
    } while (after);
    if (!this.at || this.at > this.events.length) this.at = this.events.length;
    document.onkeydown = (pressed) => this.key(pressed);
    await this.turn(this.at);
  }

  close() {
    this.open_page = this.playing = false;
    document.onkeydown = null;
  }

  /** @param {KeyboardEvent} pressed */
  key(pressed) {
    if (/** @type {Element} */ (pressed.target).matches("input, select, button, a")) return;
    const steps = { ArrowRight: this.at + 1, ArrowLeft: this.at - 1, Home: 1, End: this.events.length };
    if (pressed.key in steps) this.turn(steps[/** @type {keyof typeof steps} */ (pressed.key)]);
    if (pressed.key === " ") this.run();
    if (pressed.key in steps || pressed.key === " ") pressed.preventDefault();
  }

  /** @param {number} version */
  async view(version) {
    const key = `${version} ${this.as ?? ""}`;
    if (!this.views.has(key)) {
      if (this.views.size > KEPT) this.views.clear();
      const eyes = this.as === null ? "" : `&as=${this.as}`;
      this.views.set(key, get(`/v1/matches/${this.id}?at=${version}${eyes}`));
    }
    return this.views.get(key);
  }

  /** Shows the match at a version. @param {number} version */
  async turn(version) {
    this.at = Math.min(Math.max(1, version), this.events.length);
    const wanted = this.at;
    const eyes = this.as === null ? "" : `&as=${this.as}`;
    history.replaceState(null, "", `/matches/${this.id}/replay?at=${wanted}${eyes}`);
    let shown;
    try {
      shown = await this.view(wanted);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.views.clear();
      this.as = null;
      shown = await this.view(wanted);
    }
    if (wanted !== this.at || !this.open_page) return;
    gliding(this.root, () => this.draw(shown));
    if (this.at < this.events.length) this.view(this.at + 1).catch(() => {});
  }

  async run() {
    this.playing = !this.playing;
    this.turn(this.at === this.events.length && this.playing ? 1 : this.at);
    while (this.playing && this.open_page) {
      await sleep(1000 / this.pace);
      if (!this.playing || !this.open_page) return;
      if (this.at >= this.events.length) this.playing = false;
      await this.turn(this.at + (this.playing ? 1 : 0));
    }
  }

  /** @param {1 | -1} way */
  remarkable(way) {
    for (let at = this.at + way; at >= 1 && at <= this.events.length; at += way) {
      if (REMARKABLE.test(this.events[at - 1].event.type)) return this.turn(at);
    }
    return this.turn(way > 0 ? this.events.length : 1);
  }

  /** How long was thought before this event. */
  thought() {
    const now = this.events[this.at - 1]?.event;
    const before = this.events.findLast((one) => one.event.version < this.at && one.event.command_id !== now?.command_id)?.event;
    if (!now || !before) return "";
    const seconds = (Date.parse(now.at) - Date.parse(before.at)) / 1000;
    return seconds >= 0.05 ? `after ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s` : "";
  }

  /** @param {any} view */
  draw(view) {
    const scene = new Scene({ game: this.game, match: { ...view, to_act: view.to_act }, board: this.board });
    const one = this.events[this.at - 1];
    const over = this.match.status === "over";
    const wanted = h("div.match.replay", { "data-key": "replay", "data-version": this.at },
      h("div.head", null, h("h1", null, this.game.title), h("p.status", { role: "status", "aria-live": "polite" }, `${one?.words ?? ""} `, h("small", null, this.thought())),
        h("nav.menu", { "aria-label": "match" }, h("a.button.quiet", { href: `/matches/${this.id}` }, "To the table"), over && h("a.button.quiet", { href: `/verify?match=${this.id}` }, "Verify"))),
      view.table ? drawTable(scene) : h("div.table", null, h("p", null, "Before the first deal.")),
      h("div.below", null,
        h("div.player-controls", { role: "group", "aria-label": "replay" },
          h("button", { "aria-label": "to the beginning", onclick: () => this.turn(1) }, "⏮"),
          h("button", { "aria-label": "one back", onclick: () => this.turn(this.at - 1) }, "◀"),
          h("button.primary", { "aria-label": this.playing ? "pause" : "play", onclick: () => this.run() }, this.playing ? "Pause" : "Play"),
          h("button", { "aria-label": "one on", onclick: () => this.turn(this.at + 1) }, "▶"),
          h("button", { "aria-label": "to the end", onclick: () => this.turn(this.events.length) }, "⏭"),
          h("button", { onclick: () => this.remarkable(1) }, "Next moment"),
          h("label", null, "Speed ", h("select", { onchange: (/** @type {any} */ turned) => { this.pace = Number(turned.target.value); } },
            PACES.map((pace) => h("option", { value: pace, selected: pace === this.pace }, `${pace}/s`)))),
          over && h("label", null, "Eyes of ", h("select", { onchange: (/** @type {any} */ turned) => { this.as = turned.target.value || null; this.turn(this.at); } },
            h("option", { value: "", selected: this.as === null }, "whoever reads"),
            this.match.seats.map((/** @type {any} */ seat) => h("option", { value: seat.seat, selected: String(seat.seat) === this.as }, seat.name))))),
        h("input.slider", { type: "range", min: 1, max: this.events.length, value: this.at, "aria-label": "version", "aria-valuetext": `${this.at} of ${this.events.length}`, oninput: (/** @type {any} */ slid) => this.turn(Number(slid.target.value)) }),
        h("p.where", null, `${this.at} of ${this.events.length}`)),
      h("aside.beside", null, h("div.panel", { tabindex: 0, role: "region", "aria-label": "the story" },
        h("ol.story", null, this.events.map(({ event, words }) => h("li", { "data-key": `${event.version}`, class: event.version === this.at ? "now" : "" },
          h("a", { href: `/matches/${this.id}/replay?at=${event.version}`, onclick: (/** @type {Event} */ click) => { click.preventDefault(); click.stopPropagation(); this.turn(event.version); } }, words)))))));
    if (this.root.firstElementChild) morph(this.root.firstElementChild, wanted);
    else show(this.root, wanted);
    this.root.querySelector(".story .now")?.scrollIntoView({ block: "nearest" });
  }
}
