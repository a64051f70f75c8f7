/** The form that opens a table: how many play, against whom, by which options. The catalogue says what can be chosen. */

import { h, inWords, withCode } from "./dom.js";
import { get } from "./server.js";

const LEVEL = "parlor.level"; // of the bots, as the reader had them last
const BEFORE_IT_IS_KNOWN = ["random", "steady", "strong"];
const TIMES = { "no limit": null, "30 seconds": 30, "2 minutes": 120, "an hour": 3600, "a day": 86400 };

export class Opening {
  /**
   * @param {any} game as the list of games has it
   * @param {() => void} changed
   * @param {(body: any, ready: boolean) => void} start
   */
  constructor(game, changed, start) {
    this.game = game;
    this._changed = changed;
    this._start = start;
    /** @type {any} */
    this.detail = null;
    /** @type {Map<string, any>} */
    this.rules = new Map();
    this.cited = ""; // the option whose rule is open
    this.level = localStorage.getItem(LEVEL) ?? "steady";
    this.seats = game.seats[Math.min(1, game.seats.length - 1)];
    /** @type {Record<string, any>} */
    this.options = {};
    /** @type {Record<string, any>} */
    this.terms = {};
  }

  async load() {
    this.detail = await get(`/v1/games/${this.game.slug}`);
    this._changed();
  }

  /** Opens the table. @param {"bot" | "open"} others */
  start(others) {
    const rest = Array(this.seats - 1).fill(others === "bot" ? { kind: "bot", level: this.level } : { kind: "open" });
    // A table that is larger than usual needs an option that says so.
    const larger = Object.entries(this.game.seats_by_option).filter(([, seats]) => seats.includes(this.seats)).map(([name]) => [name, this.seats]);
    const options = { ...Object.fromEntries(larger), ...this.options };
    this._start({ game: this.game.slug, options, seats: [{ kind: "me" }, ...rest], ...this.terms }, others === "bot");
  }

  form() {
    const seats = [...this.game.seats, ...Object.values(this.game.seats_by_option).flat()];
    const levels = this.detail?.bots ?? BEFORE_IT_IS_KNOWN;
    return h("form.opening", { onsubmit: (/** @type {Event} */ sent) => { sent.preventDefault(); this.start("bot"); } },
      h("label", null, "Players ", select(seats.map((n) => [n, n === 2 ? "2: you and a bot" : `${n}: you and ${n - 1} bots`]), this.seats, (value) => { this.seats = value; })),
      h("label", null, "Bots play ", select(levels.map((/** @type {string} */ level) => [level, level]), this.level, (value) => { this.level = value; localStorage.setItem(LEVEL, value); })),
      h("button.primary", { type: "submit" }, "Play now"),
      h("button", { type: "button", onclick: () => this.start("open") }, "Open a table for others"),
      this.detail && h("details", { "data-key": "options" }, h("summary", null, "Table options"),
        h("div.options", null, this.detail.options.map((/** @type {any} */ option) => this.option(option)), this.around())));
  }

  /** @param {any} option */
  option(option) {
    const label = `${this.game.slug}-${option.name}`;
    return h("div.option", { "data-key": option.name },
      h("label", { for: label }, inWords(option.name)), this.control(option, label),
      h("p.meaning", null, option.text, " ", h("button.link", { type: "button", "aria-expanded": String(this.cited === option.name), onclick: () => this.cite(option) }, option.rule)),
      this.cited === option.name && this.rules.has(option.rule) && h("blockquote.cited-rule", null, h("b", null, this.rules.get(option.rule).title), " ", withCode(this.rules.get(option.rule).text)));
  }

  /** @param {any} option @param {string} id */
  control(option, id) {
    const set = (/** @type {any} */ value) => { if (value === undefined) delete this.options[option.name]; else this.options[option.name] = value; };
    if (option.kind === "flag" || option.kind === "choice") {
      const values = option.kind === "flag" ? [true, false] : option.choices;
      return select([[undefined, `usual: ${asWords(option.default)}`], ...values.map((/** @type {any} */ one) => [one, asWords(one)])], this.options[option.name], set, { id });
    }
    const several = option.kind === "numbers";
    return h("input", {
      id, type: several ? "text" : "number", min: option.low, max: option.high, placeholder: `usual: ${asWords(option.default)}`,
      oninput: (/** @type {any} */ typed) => {
        const text = typed.target.value.trim();
        set(text === "" ? undefined : several ? text.split(/[,\s]+/).map(Number) : Number(text));
      },
    });
  }

  /** Shows the rule that an option is about, or hides it again. @param {any} option */
  async cite(option) {
    this.cited = this.cited === option.name ? "" : option.name;
    if (!this.rules.has(option.rule)) this.rules.set(option.rule, await get(`/v1/games/${this.game.slug}/rules/${option.rule}`));
    this._changed();
  }

  /** What is settled at every table, whatever is played. */
  around() {
    const flag = (/** @type {string} */ name, /** @type {string} */ words) => h("label.term", { "data-key": name },
      h("input", { type: "checkbox", onchange: (/** @type {any} */ turned) => { this.terms[name] = turned.target.checked; } }), " ", words);
    return h("div.terms", { "data-key": "terms" }, flag("spectators", "anybody may watch"), flag("private", "by invitation alone"),
      h("label.term", null, "time for a turn ", select(Object.entries(TIMES).map(([name, seconds]) => [seconds, name]), null, (value) => { this.terms.turn_seconds = value; })));
  }
}

/**
 * @param {[any, string | number][]} offered values and their names
 * @param {any} chosen
 * @param {(value: any) => void} choose
 * @param {Record<string, any>} [given]
 */
function select(offered, chosen, choose, given = {}) {
  return h("select", { ...given, onchange: (/** @type {any} */ turned) => choose(offered[turned.target.selectedIndex][0]) },
    offered.map(([value, name]) => h("option", { selected: value === chosen }, name)));
}

/** @param {any} value of an option */
const asWords = (value) => (value === true ? "yes" : value === false ? "no" : value === null ? "none" : Array.isArray(value) ? value.join(", ") : inWords(String(value)));
