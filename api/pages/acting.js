/** What the reader may do, and the way from the first choice to the command that is sent. */

import { h, inWords } from "./dom.js";
import { asSent, commandOf, firstChoices, nextChoices, stillOffered, templateOf } from "./choices.js";
import { fieldName } from "./labels.js";
import { card, cardName } from "./pieces.js";
import { writeValue } from "./values.js";

/** @typedef {import("./choices.js").Choice} Choice */
/** @typedef {import("./scene.js").Scene} Scene */

export class Acting {
  /**
   * @param {any} game
   * @param {(command: any) => void} send
   * @param {() => void} changed
   */
  constructor(game, send, changed) {
    this.game = game;
    this._send = send;
    this._changed = changed;
    this.version = -1;
    /** @type {Choice[]} */
    this.first = [];
    /** @type {Choice[]} */
    this.chosen = [];
    /** @type {Choice[] | null} those at one place, where there are several */
    this.narrowed = null;
    /** @type {Choice | null} a command with blanks */
    this.filling = null;
    /** @type {Record<string, Set<any>>} */
    this.filled = {};
    /** @type {any} the command that waits for a last word */
    this.ready = null;
  }

  get schemas() {
    return this.game.schemas.commands;
  }

  /**
   * What may be done has changed. What was half chosen stays if it could be chosen again, step by step: where all act at
   * once, somebody else's card is no reason to begin anew.
   * @param {any[]} legal
   * @param {number} version
   * @param {any} table as it lies now
   */
  reset(legal, version, table) {
    if (version === this.version && version >= 0) return;
    const { chosen, narrowed, filling, filled, ready } = this;
    this.version = version;
    this.first = firstChoices(legal, this.schemas);
    this.back();
    for (const step of chosen) {
      const found = stillOffered(step, this.choices);
      if (!found) return this.back();
      this.chosen = [...this.chosen, found];
    }
    const offered = this.choices;
    const here = (narrowed ?? []).map((one) => stillOffered(one, offered));
    if (here.length && here.every(Boolean)) this.narrowed = /** @type {Choice[]} */ (here);
    if (ready) this.ready = commandOf(this.chosen[this.chosen.length - 1]);
    if (filling) this._fillOn(stillOffered(filling, offered), filled, table);
  }

  /** Goes on filling in blanks with what is still there. @param {Choice | null} choice @param {Record<string, Set<any>>} filled @param {any} table */
  _fillOn(choice, filled, table) {
    if (!choice || !templateOf(choice)) return;
    this.filling = choice;
    this.filled = filled;
    for (const name of Object.keys(filled)) {
      const values = this._values(table, this.schemas[choice.type].properties[name], name);
      this.filled = { ...this.filled, [name]: new Set([...filled[name]].filter((one) => values.includes(one))) };
    }
  }

  /** Back to the beginning of the choice. */
  back() {
    this.chosen = [];
    this.narrowed = null;
    this.filling = null;
    this.filled = {};
    this.ready = null;
  }

  /** What can be chosen now. @returns {Choice[]} */
  get choices() {
    if (this.filling || this.ready) return [];
    return this.chosen.length ? nextChoices(this.chosen[this.chosen.length - 1], this.schemas) : this.first;
  }

  /** @param {Choice[]} offered at one place of the table */
  choose(offered) {
    if (offered.length === 1) this.pick(offered[0]);
    else this.narrowed = this.narrowed?.length === offered.length ? null : offered;
    this._changed();
  }

  /** @param {Choice} choice */
  pick(choice) {
    this.narrowed = null;
    const command = commandOf(choice);
    if (templateOf(choice)) {
      this.filling = choice;
      this.filled = Object.fromEntries(this._fields(choice).map((name) => [name, new Set()]));
    } else if (command && this._asksAgain(choice)) {
      this.chosen = [...this.chosen, choice];
      this.ready = command;
    } else if (command) {
      this.send(command);
    } else {
      this.chosen = [...this.chosen, choice];
    }
  }

  /** What took several steps is shown once more before it is sent; whoever carries a man to a cell has seen it. @param {Choice} choice */
  _asksAgain(choice) {
    const wish = localStorage.getItem("parlor.confirm");
    return wish === "always" || (wish !== "never" && this.chosen.length > 0 && !choice.places.some((place) => place.at === "board"));
  }

  /** Whether something was chosen on the way. */
  get begun() {
    return this.chosen.length > 0 || this.narrowed !== null || this.filling !== null;
  }

  /** @param {any} command */
  send(command) {
    this._send(asSent(command, this.schemas[command.type]));
  }

  /** @param {Choice} choice */
  _fields(choice) {
    return Object.keys(this.schemas[choice.type].properties).filter((name) => name !== "type");
  }

  // ── What is shown below the table ─────────────────────────────────────────────────────────────────────────────────

  /** @param {Scene} scene after it was drawn: what has no place on the table gets a button here */
  bar(scene) {
    if (this.filling) return this._filler(scene, this.filling);
    if (this.ready) return this._confirmation(scene);
    const shown = scene.choices;
    if (!shown.length) return null;
    const kinds = [...new Set(shown.map((one) => one.type))];
    return h("div.acting", { role: "group", "aria-label": "what you can do" },
      this.chosen.length > 0 && h("p.draft", null, this._told(scene), h("button.link", { onclick: () => { this.back(); this._changed(); } }, "Change")),
      kinds.map((kind) => this._kind(scene, shown.filter((one) => one.type === kind))));
  }

  /** @param {Scene} scene @param {Choice[]} choices of one kind of command */
  _kind(scene, choices) {
    const schema = this.schemas[choices[0].type];
    const what = (schema.description ?? inWords(choices[0].type)).replace(/\.$/, "");
    const aside = choices[0].aside;
    const hidden = choices.filter((one) => !scene.placed.has(one) || this.narrowed !== null || one.places.every((place) => place.value === null));
    if (!hidden.length) return h("p.hint", { "data-key": choices[0].type }, what, ".");
    // By itself it has all its words on the button.
    const told = this._settled(scene, hidden[0]);
    if (hidden.length === 1 && (choices.length === 1 || !told)) {
      return h("button", { "data-key": choices[0].type, class: aside ? "quiet" : choices.length === 1 ? "primary" : "", "data-command": choices[0].type, onclick: () => { this.pick(hidden[0]); this._changed(); } },
        told ? `${what}: ${told}` : what);
    }
    return h("fieldset.kind", { "data-key": choices[0].type, class: aside ? "quiet" : "" }, h("legend", null, what),
      hidden.map((one, n) => h("button", { "data-key": `${n}`, "data-command": one.type, onclick: () => { this.pick(one); this._changed(); } }, this._settled(scene, one) || what)));
  }

  /** @param {Scene} scene */
  _confirmation(scene) {
    const schema = this.schemas[this.ready.type];
    return h("div.acting.confirming", { role: "group", "aria-label": "confirm" },
      h("p.draft", null, h("b", null, (schema.description ?? "").replace(/\.$/, "")), " ", this._told(scene)),
      h("button.primary", { "data-command": this.ready.type, onclick: () => { this.send(this.ready); this._changed(); } }, "Do it"),
      h("button", { onclick: () => { this.back(); this._changed(); } }, "Change"));
  }

  /** @param {Scene} scene */
  _told(scene) {
    return this.chosen.map((one) => this._settled(scene, one)).filter(Boolean).join(", ");
  }

  /** What a choice decides. @param {Scene} scene @param {Choice} choice */
  _settled(scene, choice) {
    const schema = this.schemas[choice.type];
    const told = choice.told.filter(([, value]) => value !== null);
    return told.map(([name, value]) => {
      const text = writeValue(scene, value, schema.properties[name]);
      return told.length > 1 || (this.chosen.includes(choice) && Number.isInteger(value)) ? `${fieldName(name)} ${text}` : text;
    }).join(", ");
  }

  // ── A command with blanks ─────────────────────────────────────────────────────────────────────────────────────────

  /** @param {Scene} scene @param {Choice} choice */
  _filler(scene, choice) {
    const template = choice.commands[0];
    const schema = this.schemas[choice.type];
    return h("div.acting.filling", { role: "group", "aria-label": schema.description },
      h("p.draft", null, schema.description),
      this._fields(choice).map((name) => h("fieldset", { "data-key": name },
        h("legend", null, String(template.fill?.[name] ?? inWords(name)), this.filled[name].size > 0 && h("b", null, ` · ${this.filled[name].size} chosen`)),
        this._chooser(name, this._values(scene.match.table, schema.properties[name], name)))),
      h("button.primary", { "data-command": choice.type, onclick: () => this._sendFilled(choice) }, "Do it"),
      h("button", { onclick: () => { this.back(); this._changed(); } }, "Back"));
  }

  /** @param {string} name of the blank @param {any[]} values */
  _chooser(name, values) {
    if (!values.length) return h("p.hint", null, "Choose the cards above first.");
    return h("div.heap.row.chooser", null, values.map((value) => {
      const on = this.filled[name].has(value);
      return h("button.thing", { "data-key": `card-${value}`, "data-card": value, class: on ? "chosen" : "", "aria-pressed": String(on), "aria-label": cardName(value), onclick: () => this._turn(name, value) }, card(value));
    }));
  }

  /** Puts a value into a blank, or takes it out, and out of those that are filled from this one. @param {string} name @param {any} value */
  _turn(name, value) {
    const names = Object.keys(this.filled);
    if (!this.filled[name].delete(value)) this.filled[name].add(value);
    else for (const later of names.slice(names.indexOf(name))) this.filled[later].delete(value);
    this._changed();
  }

  /** What a blank can be filled with: what lies at its place, or what was chosen for the blank before it. @param {any} table @param {any} field @param {string} name */
  _values(table, field, name) {
    const names = Object.keys(this.filled);
    const before = names[names.indexOf(name) - 1];
    if (before) return [...this.filled[before]];
    for (const at of field["x-at"] ?? []) {
      const found = at.split(".").reduce((/** @type {any} */ value, /** @type {string} */ step) => value?.[step], table);
      if (Array.isArray(found)) return found;
    }
    return [];
  }

  /** @param {Choice} choice */
  _sendFilled(choice) {
    const filled = Object.entries(this.filled).map(([name, values]) => [name, [...values]]);
    this.send({ type: choice.type, ...Object.fromEntries(filled) });
    this._changed();
  }
}
