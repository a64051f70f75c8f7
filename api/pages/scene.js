/** All that one drawing of a table is made from: the view, the board, and what can be chosen where. */

import { commandOf } from "./choices.js";
import { partsOf } from "./schemas.js";

/** @typedef {import("./choices.js").Choice} Choice */

export class Scene {
  /**
   * @param {object} given
   * @param {any} given.game as the catalogue describes it
   * @param {any} given.match as this reader sees it
   * @param {any} [given.board]
   * @param {Choice[]} [given.choices] what can be chosen now
   * @param {Choice[]} [given.chosen] what was chosen on the way there
   * @param {(offered: Choice[]) => void} [given.choose]
   * @param {() => void} [given.back] takes back what was chosen on the way
   * @param {Record<string, string>} [given.deadlines]
   */
  constructor({ game, match, board = null, choices = [], chosen = [], choose = () => {}, back = () => {}, deadlines = {} }) {
    this.game = game;
    this.match = match;
    this.board = board;
    this.choices = choices;
    this.chosen = chosen;
    this.deadlines = deadlines;
    this._choose = choose;
    this._back = back;
    /** @type {Set<Choice>} */
    this.placed = new Set(); // the choices that are found at something that was drawn
    const wanted = new Set(choices.flatMap((one) => one.places.map((place) => place.at)));
    this.parts = match.table ? partsOf(game.schemas.view, match.table, wanted) : [];
  }

  get you() {
    return this.match.you;
  }

  /** The side that the reader plays for. */
  get side() {
    return this.you === null ? null : this.sideOf(this.you);
  }

  /** @param {number} seat */
  sideOf(seat) {
    const found = this.match.sides.findIndex((/** @type {number[]} */ seats) => seats.includes(seat));
    return found < 0 ? seat : found;
  }

  /** The colour of the men of a side; where a game has a dark side that changes, it says whose it is. @param {number} side */
  colourOf(side) {
    const dark = this.match.table?.dark;
    return Number.isInteger(dark) ? Number(this.sideOf(dark) === side) : side;
  }

  /** @param {number} seat */
  name(seat) {
    return seat === this.you ? "you" : (this.match.seats[seat]?.name ?? `seat ${seat}`);
  }

  /** @param {number} side */
  sideName(side) {
    return (this.match.sides[side] ?? [side]).map((/** @type {number} */ seat) => this.name(seat)).join(" and ");
  }

  /**
   * The choices at a field of the view, or at a value in it.
   * @param {string} at
   * @param {any} [value]
   * @param {string} [thing]
   */
  at(at, value = null, thing = "") {
    const spot = value === null ? null : String(value);
    return this.choices.filter((one) => one.places.some((place) => place.at === at && place.value === spot && place.thing === thing));
  }

  /**
   * What makes an element a place to choose at.
   * @param {Choice[]} offered
   * @param {string} label
   * @returns {Record<string, any>}
   */
  act(offered, label) {
    if (!offered.length) return {};
    for (const one of offered) this.placed.add(one);
    return {
      ...button(label, () => this._choose(offered)), "data-can": offered.map((one) => one.type).join(" "),
      "data-more": offered.length === 1 && commandOf(offered[0]) ? null : "", "data-to": offered[0].to ?? null,
    };
  }

  /** What was chosen can be let go where it was chosen. @param {string} label @returns {Record<string, any>} */
  release(label) {
    return { ...button(`${label}, chosen`, this._back), "aria-pressed": "true" };
  }

  /** @param {string} at @param {any} value */
  isChosen(at, value) {
    return this.chosen.some((one) => one.places.some((place) => place.at === at && place.value === String(value)));
  }
}

/** @param {string} label @param {() => void} press */
const button = (label, press) => ({
  role: "button", tabindex: 0, "aria-label": label,
  onclick: press,
  onkeydown: (/** @type {KeyboardEvent} */ pressed) => {
    if (pressed.key !== "Enter" && pressed.key !== " ") return;
    pressed.preventDefault();
    press();
  },
});
