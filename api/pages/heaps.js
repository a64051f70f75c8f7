/** Cards and dice as they lie: in a line, in a stack, as a trick. */

import { h } from "./dom.js";
import { labelFor } from "./labels.js";
import { card, cardName, die } from "./pieces.js";
import { fitting, itemOf } from "./schemas.js";
import { drawValue, writeValue } from "./values.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./schemas.js").Part} Part */

export const CARDS = new Set(["hand", "pile", "row", "trick", "card"]);
const FEW = 7; // cards of a heap that are shown side by side
const FULL = 14; // cards of a hand that fit into one line of a narrow screen

/** What lies on the table, or nothing where nothing lies. @param {Scene} scene @param {Part} part */
export function drawPart(scene, part) {
  const offered = scene.at(part.name);
  const empty = part.value === null || part.value === 0 || (Array.isArray(part.value) && !part.value.length);
  const placeHolds = part.kind === "trick" || (part.kind === "dice" && part.name !== "numbers");
  if (empty && !(placeHolds && scene.match.status === "playing") && (part.value === null || !offered.length)) return null;
  const label = labelFor(part.name);
  const drawn = part.kind === "dice" ? drawDice(scene, part)
    : part.kind === "count" ? drawCount(scene, part)
    : CARDS.has(part.kind) ? drawHeap(scene, part, part.value ?? [], fitting(part.schema, part.value), null)
    : drawValue(scene, part.value, part.schema, part.name);
  return h("section.part", { "data-key": part.path.join("."), class: `is-${part.kind} of-${part.owner}`, "aria-label": label },
    h("span.label", { "aria-hidden": "true" }, label), drawn);
}

/** @param {Scene} scene @param {Part} part */
function drawDice(scene, part) {
  const values = [part.value ?? []].flat(2);
  const here = scene.at(part.name);
  const said = values.length ? `${labelFor(part.name)}: ${values.join(", ")}` : "not thrown yet";
  return h("div.dice", { class: here.length ? "can" : "", ...(here.length ? scene.act(here, `${said}; throw`) : { role: "group", "aria-label": said }) },
    values.map((value, n) => {
      const offered = scene.at(part.name, value);
      const chosen = scene.isChosen(part.name, value);
      return h("span.throw", { "data-key": `${n} ${value}`, class: `${offered.length ? "can" : ""} ${chosen ? "chosen" : ""}`, ...scene.act(offered, `the ${value}`) }, die(value));
    }),
    !values.length && [die(""), die("")].map((blank) => h("span.throw.blank", null, blank)));
}

/** How many there are of what cannot be seen. @param {Scene} scene @param {Part} part */
function drawCount(scene, part) {
  const offered = scene.at(part.name);
  const label = labelFor(part.name);
  const count = part.value ?? 0;
  return h("div.heap.stack", { class: offered.length ? "can" : "", ...(offered.length ? scene.act(offered, `${label}, ${count}`) : {}) },
    count ? h("span.thing", { role: "img", "aria-label": "a card face down" }, card(null)) : h("span.gap"), h("span.number", null, count));
}

/**
 * Cards in a line, in a stack, or in several heaps.
 * @param {Scene} scene
 * @param {Part} part
 * @param {any} value
 * @param {any} schema
 * @param {number | null} seat whose they are, where each seat has some
 * @returns {HTMLElement}
 */
export function drawHeap(scene, part, value, schema, seat) {
  if (!Array.isArray(value)) return h("div.heap", null, drawThing(scene, part, value, schema, seat));
  const first = value.length ? fitting(itemOf(schema, 0), value[0]) : {};
  const offered = seat === null || seat === scene.you ? scene.at(part.name) : [];
  if (value.some((one) => Array.isArray(one))) {
    return h("div.heaps", null, value.map((one, place) => {
      const here = seat === null || seat === scene.you ? scene.at(part.name, place) : [];
      return h("div.heap.row", { "data-key": `${place}`, class: here.length ? "can" : "", ...scene.act(here, `${labelFor(part.name)} ${place + 1}`) },
        one.map((/** @type {any} */ each, /** @type {number} */ n) => drawThing(scene, part, each, itemOf(itemOf(schema, place), n), seat)));
    }));
  }
  if (holdsSeatAndCard(first) || part.kind === "trick") return drawTrick(scene, part, value, schema);
  if (part.kind === "pile" && !value.some((one) => scene.at(part.name, one).length)) return drawPile(scene, part, value, schema, offered, seat);
  const mine = part.kind === "hand" && part.owner === "you";
  const tight = value.length > FEW && !mine;
  return h("div.heap.row", { class: `${tight ? "tight" : ""} ${mine ? "held" : ""} ${value.length > FEW ? "many" : ""} ${value.length > FULL ? "long" : ""} ${part.kind}` },
    value.map((one, n) => drawThing(scene, part, one, itemOf(schema, n), seat)));
}

/** The top of a pile; the others can be looked at where they are known. @param {Scene} scene @param {Part} part @param {any[]} value @param {any} schema @param {any[]} offered @param {number | null} seat */
function drawPile(scene, part, value, schema, offered, seat) {
  const label = labelFor(part.name);
  const top = part.schema["x-part"].order === "top_to_bottom" ? value[0] : value[value.length - 1];
  const shown = value.length ? drawThing(scene, part, top, itemOf(schema, 0), seat) : h("span.gap");
  const number = h("span.number", null, value.length);
  if (offered.length) {
    return h("div.heap.stack.can", scene.act(offered, `${label}: ${value.length ? `${cardName(top)} on top` : "empty"}`), shown, value.length > 1 && number);
  }
  if (value.length < 2) return h("div.heap.stack", null, shown);
  return h("details.stack", { "data-key": "stack" },
    h("summary", { "aria-label": `${label}: ${value.length} cards, ${cardName(top)} on top` }, shown, number),
    h("div.heap.row.small.spread", null, value.map((one, n) => drawThing(scene, part, one, itemOf(schema, n), seat))));
}

/** @param {any} schema */
export function holdsSeatAndCard(schema) {
  const fields = Object.values(schema.properties ?? {});
  return fields.some((one) => one["x-is"] === "seat") && fields.some((one) => one["x-piece"]);
}

/** Each card with the name of its player. @param {Scene} scene @param {Part} part @param {any[]} value @param {any} schema */
function drawTrick(scene, part, value, schema) {
  return h("div.trick-cards", { class: value.length > FEW ? "crowded" : "" }, value.length ? value.map((play, place) => {
    const inner = fitting(itemOf(schema, place), play);
    if (typeof play !== "object" || play === null) return drawThing(scene, part, play, inner, null);
    const fields = Object.entries(inner.properties);
    const [seatField] = fields.find(([, field]) => field["x-is"] === "seat") ?? ["seat"];
    const [cardField] = fields.find(([, field]) => field["x-piece"]) ?? ["card"];
    return h("figure.played", { "data-key": `played-${play[seatField]}-${play[cardField]}` },
      drawThing(scene, part, play[cardField], inner.properties[cardField], play[seatField]),
      h("figcaption", { title: scene.name(play[seatField]) }, scene.name(play[seatField])));
  }) : h("span.gap", { role: "img", "aria-label": "nothing played yet" }));
}

/**
 * One card, or a word where it is none.
 * @param {Scene} scene
 * @param {Part} part
 * @param {any} value
 * @param {any} schema
 * @param {number | null} seat
 */
export function drawThing(scene, part, value, schema, seat) {
  if (value !== null && typeof value === "object") return h("span.value", null, writeValue(scene, value, schema, part.name));
  // Where cards are told by their number alone, equal ones lie before several seats: one's own is meant.
  const own = scene.you === null ? null : part.owner === "each" ? part.value?.[scene.you] : null;
  const offered = seat !== scene.you && Array.isArray(own) && own.includes(value) ? [] : scene.at(part.name, value);
  const down = part.schema["x-part"].face === "down";
  const dim = scene.choices.length && part.owner === "you" && part.kind === "hand" && !offered.length;
  const chosen = value !== null && scene.isChosen(part.name, value);
  return h("span.thing", {
      class: `${offered.length ? "can" : ""} ${dim && !chosen ? "dim" : ""} ${chosen ? "chosen" : ""}`,
      "data-glide": value === null ? null : `card ${value}${own ? ` ${seat}` : ""}`, "data-from": seat === null ? null : `seat-${seat}`,
      "data-key": value === null ? null : `card-${value}`, "data-card": value,
      ...(offered.length ? scene.act(offered, cardName(value)) : { role: "img", "aria-label": `${cardName(value)}${down ? ", face down" : ""}` }),
    }, card(value, down));
}
