/** A match looked through again: any moment, with the eyes of any seat that the reader may have. */

import { gliding, h, morph, s, show } from "./dom.js";
import { Scene } from "./scene.js";
import { Away, Problem, get, getAsAnybody, opened, post, request, sleep, somebody } from "./server.js";
import { drawTable } from "./table.js";
import { drawChart, drawLegal, drawTimes, pauses, scoresOf, written } from "./retrospect.js";

const PACES = [0.5, 1, 2, 5, 10, 25]; // events a second
const WINDOW = 100; // steps that are fetched together
const AHEAD = 20; // steps before its end at which the next window is fetched
const LEVELS = ["random", "steady", "strong"];
const TABLE = "table"; // eyes that see all cards

/** Drawn, since many fonts lack such signs. @type {Record<string, string>} */
const SIGNS = {
  first: "M3 3H5V13H3ZM13.5 3V13L6 8Z",
  back: "M12 3V13L4.5 8Z",
  on: "M4 3V13L11.5 8Z",
  last: "M11 3H13V13H11ZM2.5 3V13L10 8Z",
};

/** @param {string} name */
const sign = (name) => s("svg.control-sign", { viewBox: "0 0 16 16", "aria-hidden": "true" }, s("path", { d: SIGNS[name] }));

export class ReplayPage {
  /** @param {HTMLElement} root @param {string} id @param {(path: string) => void} go */
  constructor(root, id, go) {
    this.root = root;
    this.id = id;
    this.go = go;
    const asked = new URLSearchParams(location.search);
    this.at = Number(asked.get("at")) || 0;
    /** @type {string | null} */
    this.as = asked.get("as");
    this.playing = false;
    this.pace = 1;
    this.closed = false;
    this.trouble = "";
    this.said = "";
    this.level = localStorage.getItem("parlor.level") ?? "steady";
    /** @type {number | null} */
    this.seat = null; // whom the reader would play for in a fork
    /** @type {any} */
    this.game = null;
    /** @type {any} */
    this.board = null;
    /** @type {any[]} */
    this.events = [];
    /** @type {Map<string, Promise<any[]>>} */
    this.windows = new Map();
    /** @type {Map<string, boolean>} */
    this.notable = new Map(); // which types of events are remarkable, as far as it was told
    /** @type {import("./retrospect.js").Scored[]} */
    this.scores = [];
    /** @type {Promise<void> | null} */
    this.turning = null;
  }

  async open() {
    this.match = await getAsAnybody(`/v1/matches/${this.id}`);
    [this.game, this.board] = await Promise.all([get(`/v1/games/${this.match.game}`), this.match.board_href ? get(this.match.board_href) : null]);
    this.events = [];
    for (let after = 0; after !== null;) {
      const page = await get(`/v1/matches/${this.id}/events?words=1&limit=1000&after=${after}`);
      this.events.push(...page.events);
      after = page.next ?? null;
    }
    this.times = pauses(this.events, this.match.seats.length);
    if (!this.at || this.at > this.events.length) this.at = this.events.length;
    document.title = `${this.game.title} · Replay · Parlor`;
    document.onkeydown = (pressed) => this.key(pressed);
    await this.turn(this.at);
    await this.readScores();
  }

  close() {
    this.closed = true;
    this.playing = false;
    clearTimeout(this.addressing);
    document.onkeydown = null;
    document.title = "Parlor";
  }

  get over() {
    return this.match.status === "over";
  }

  /** The score sheet, which there is once a match is over. */
  async readScores() {
    if (!this.over) return;
    try {
      this.scores = scoresOf(await request("GET", `/v1/matches/${this.id}/export/csv`), this.events);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
    if (this.scores.length && this.step) this.draw(this.step);
  }

  /** @param {KeyboardEvent} pressed */
  key(pressed) {
    if (/** @type {Element} */ (pressed.target).closest("input, select, button, a, summary, [tabindex='0']:not(.panel)")) return;
    const steps = { ArrowRight: this.at + 1, ArrowLeft: this.at - 1, Home: 1, End: this.events.length };
    if (pressed.key in steps) this.turn(steps[/** @type {keyof typeof steps} */ (pressed.key)]);
    else if (pressed.key === " ") this.run();
    else if (pressed.key === "m") this.remarkable();
    else return;
    pressed.preventDefault();
  }

  // ── Steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  get eyes() {
    return this.as === null ? "" : `&as=${this.as}`;
  }

  /** The steps around a version, as they are seen now. @param {number} version @returns {Promise<any[]>} */
  around(version) {
    const number = Math.floor((version - 1) / WINDOW);
    const key = `${number} ${this.as}`;
    let found = this.windows.get(key);
    if (!found) {
      const [first, last] = [number * WINDOW + 1, Math.min((number + 1) * WINDOW, this.events.length)];
      found = this.fetch(`/v1/matches/${this.id}/replay?legal=1&from=${first}&to=${last}${this.eyes}`);
      found.catch(() => this.windows.delete(key));
      this.windows.set(key, found);
    }
    return found;
  }

  /** @param {string} path */
  async fetch(path) {
    const text = await (await opened("GET", path)).text().catch(() => { throw new Away("the answer was lost"); });
    const steps = text.trimEnd().split("\n").map((line) => JSON.parse(line));
    for (const { event, remarkable } of steps) this.notable.set(event.type, remarkable);
    return steps;
  }

  /** @param {number} version */
  async stepAt(version) {
    return (await this.around(version))[(version - 1) % WINDOW];
  }

  /** Shows the match at a version. While one is fetched, only the last that was asked for comes next. @param {number} version */
  async turn(version) {
    this.at = Math.min(Math.max(1, version), this.events.length);
    clearTimeout(this.addressing);
    this.addressing = setTimeout(() => this.address(), 150); // browsers refuse to change it too often
    this.turning ??= this.settle().finally(() => { this.turning = null; });
    await this.turning;
  }

  async settle() {
    for (let [at, as] = [0, this.as]; !this.closed && (at !== this.at || as !== this.as);) {
      [at, as] = [this.at, this.as];
      try {
        this.step = await this.stepAt(at);
        this.trouble = "";
      } catch (error) {
        if (error instanceof Away) {
          this.trouble = "The server is away; try again in a moment.";
          if (!this.step) throw error;
        } else if (error instanceof Problem && this.as !== null) {
          [this.trouble, this.as] = [error.message, null];
        } else throw error;
      }
      if (!this.closed && this.step && at === this.at) gliding(this.root, () => this.draw(this.step));
    }
    if ((this.at - 1) % WINDOW >= WINDOW - AHEAD && this.at + AHEAD <= this.events.length) this.around(this.at + AHEAD).catch(() => {});
  }

  address() {
    history.replaceState(null, "", `/matches/${this.id}/replay?at=${this.at}${this.eyes}`);
  }

  async run() {
    this.playing = !this.playing;
    if (this.playing && this.at === this.events.length) await this.turn(1);
    else if (this.step) this.draw(this.step);
    while (this.playing && !this.closed) {
      await sleep(1000 / this.pace);
      if (!this.playing || this.closed) return;
      if (this.at + 1 >= this.events.length) this.playing = false;
      await this.turn(this.at + 1);
    }
  }

  /** On to the next event that is worth stopping at. */
  async remarkable() {
    for (let at = this.at + 1; at <= this.events.length && !this.closed; at += 1) {
      const { type } = this.events[at - 1].event;
      if (!this.notable.has(type)) await this.around(at);
      if (this.notable.get(type)) return this.turn(at);
    }
    return this.turn(this.events.length);
  }

  // ── What can be done from here ────────────────────────────────────────────────────────────────────────────────────

  /** Where the command ends that this version belongs to: within one nobody could have acted otherwise. */
  get whole() {
    let at = this.at;
    while (at < this.events.length && this.events[at].event.command_id === this.events[at - 1].event.command_id) at += 1;
    return at;
  }

  /** What if it had gone on otherwise? The same table, another chance, bots in the other seats. */
  async fork() {
    const mine = this.seat ?? this.match.you ?? 0;
    const seats = this.match.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => (seat === mine ? { kind: "me" } : { kind: "bot", level: this.level }));
    try {
      await somebody();
      const made = await post(`/v1/matches/${this.id}/fork`, { at: this.whole, seats });
      await post(`/v1/matches/${made.id}/start`);
      this.go(`/matches/${made.id}`);
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Away)) throw error;
      this.trouble = error.message;
      this.draw(this.step);
    }
  }

  async copy() {
    this.address();
    try {
      await navigator.clipboard.writeText(location.href);
      this.said = "The link is copied.";
    } catch {
      this.said = `The link is ${location.href}`;
    }
    this.draw(this.step);
  }

  // ── Drawing ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** @param {any} step */
  draw(step) {
    const scene = new Scene({ game: this.game, match: step.view, board: this.board });
    const thought = this.times?.before[this.at - 1] ?? 0;
    const wanted = h("div.match.replay", { "data-key": "replay", "data-version": this.at },
      h("div.head", null, h("h1", null, this.game.title),
        h("p.status", { role: "status", "aria-live": this.playing ? "off" : "polite" }, this.events[this.at - 1].words, " ", thought >= 0.05 && h("small", null, `after ${written(thought)}`)),
        h("nav.menu", { "aria-label": "match" }, h("button.quiet", { onclick: () => this.copy() }, "Copy link"),
          h("a.button.quiet", { href: `/matches/${this.id}` }, "To the table"), h("a.button.quiet", { href: `/verify?match=${this.id}` }, "Verify"))),
      this.trouble && h("p.trouble", { role: "alert", "data-key": "trouble" }, this.trouble),
      step.view.table ? drawTable(scene) : h("div.table", null, h("p", null, "Nothing lies on the table yet.")),
      h("div.below", null, this.controls(), this.said && h("p.said", { role: "status" }, this.said)),
      this.beside(scene, step));
    if (this.root.firstElementChild) morph(this.root.firstElementChild, wanted);
    else show(this.root, wanted);
    this.mark();
  }

  controls() {
    return h("div.controls", { "data-key": "controls" },
      h("input.slider", { type: "range", min: 1, max: this.events.length, value: this.at, "aria-label": "version", "aria-valuetext": `${this.at} of ${this.events.length}`, oninput: (/** @type {any} */ slid) => this.turn(Number(slid.target.value)) }),
      h("div.player-controls", { role: "group", "aria-label": "replay" },
        h("button", { "aria-label": "to the beginning", onclick: () => this.turn(1) }, sign("first")),
        h("button", { "aria-label": "one back", onclick: () => this.turn(this.at - 1) }, sign("back")),
        h("button.primary", { "aria-label": this.playing ? "pause" : "play", onclick: () => this.run() }, this.playing ? "Pause" : "Play"),
        h("button", { "aria-label": "one on", onclick: () => this.turn(this.at + 1) }, sign("on")),
        h("button", { "aria-label": "to the end", onclick: () => this.turn(this.events.length) }, sign("last")),
        h("button", { onclick: () => this.remarkable() }, "Next moment"),
        h("p.where", null, `${this.at} of ${this.events.length}`),
        h("label", null, "Speed ", h("select", { onchange: (/** @type {any} */ turned) => { this.pace = Number(turned.target.value); } },
          PACES.map((pace) => h("option", { value: pace, selected: pace === this.pace }, `${pace}/s`)))),
        this.over && h("label", null, "Eyes of ", h("select", { "data-key": "eyes", onchange: (/** @type {any} */ turned) => { this.as = turned.target.value || null; this.turn(this.at); } },
          h("option", { value: "", selected: this.as === null }, this.match.you === null ? "a spectator" : "yourself"),
          h("option", { value: TABLE, selected: this.as === TABLE }, "the whole table"),
          this.match.seats.map((/** @type {any} */ seat) => h("option", { value: seat.seat, selected: String(seat.seat) === this.as }, seat.name))))));
  }

  /** @param {Scene} scene @param {any} step */
  beside(scene, step) {
    const marked = this.root.querySelector(".replay .story"); // 2,000 sentences are drawn once
    return h("aside.beside", null,
      h("details.legal", { "data-key": "legal" }, h("summary", null, "What could be done"), drawLegal(scene, step.legal ?? {})),
      h("details.what-if", { "data-key": "what-if" }, h("summary", null, "What if?"), this.whatIf()),
      this.scores.length > 0 && h("details.scores", { "data-key": "scores", open: true }, h("summary", null, "Score by hand"), drawChart(scene, this.scores, this.at, (version) => this.turn(version))),
      this.times && h("details.times", { "data-key": "times" }, h("summary", null, "How long each thought"), drawTimes(scene, this.times)),
      h("div.panel", { tabindex: 0, role: "region", "aria-label": "the story", "data-key": "story" },
        h("ol.story", { "data-own": "" }, marked ? null : this.events.map(({ event, words }) => h("li", null,
          h("a", { href: `/matches/${this.id}/replay?at=${event.version}`, onclick: (/** @type {Event} */ click) => { click.preventDefault(); click.stopPropagation(); this.turn(event.version); } }, words))))));
  }

  whatIf() {
    const own = this.over ? this.match.seats : this.match.seats.filter((/** @type {any} */ seat) => seat.seat === this.match.you);
    const mine = this.seat ?? this.match.you ?? 0;
    return h("div.line", null, h("p", null, "Play on from here against bots: the same table, another chance."),
      h("label", null, "as ", h("select", { onchange: (/** @type {any} */ turned) => { this.seat = Number(turned.target.value); } },
        own.map((/** @type {any} */ seat) => h("option", { value: seat.seat, selected: seat.seat === mine }, seat.name)))),
      h("label", null, "against ", h("select", { onchange: (/** @type {any} */ turned) => { this.level = turned.target.value; } },
        LEVELS.map((level) => h("option", { value: level, selected: level === this.level }, level)))),
      h("button.primary", { onclick: () => this.fork() }, `Play on from ${this.whole}`));
  }

  /** Shows in the story where the reader is. */
  mark() {
    const list = this.root.querySelector(".replay .story");
    list?.querySelector(".now")?.classList.remove("now");
    const now = /** @type {HTMLElement | undefined} */ (list?.children[this.at - 1]);
    const panel = list?.parentElement;
    if (!now || !panel) return;
    now.classList.add("now");
    // Only the panel is scrolled, never the page.
    const [top, bottom] = [now.offsetTop - panel.offsetTop, now.offsetTop - panel.offsetTop + now.offsetHeight];
    if (top < panel.scrollTop || bottom > panel.scrollTop + panel.clientHeight) panel.scrollTop = top - panel.clientHeight / 2;
  }
}
