/** The table: the players round it, what lies on it, your own cards below. It knows parts, and no game. */

import { h, inWords } from "./dom.js";
import { fitting, itemOf } from "./schemas.js";
import { SUITS, card, cardName, die } from "./pieces.js";
import { drawBoard } from "./board.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./schemas.js").Part} Part */

const CARDS = new Set(["hand", "pile", "row", "trick", "card"]);
const FEW = 7; // cards of a heap that are shown side by side
/** Marks that the table shows in other ways: by the place of the light, a tag, or what can be done. */
const SHOWN_OTHERWISE = new Set(["turn", "dealer", "phase"]);

/** @param {Scene} scene */
export function drawTable(scene) {
  const seats = scene.match.seats;
  const byPlayer = scene.parts.filter((part) => isByPlayer(scene, part));
  const rest = scene.parts.filter((part) => !byPlayer.includes(part) && isThere(scene, part));
  const marks = rest.filter((part) => !CARDS.has(part.kind) && !["dice", "pieces"].includes(part.kind) && !part.path.some(Number.isInteger));
  const own = rest.filter((part) => part.owner === "you" && !marks.includes(part));
  const laid = rest.filter((part) => !marks.includes(part) && !own.includes(part));
  const order = roundTheTable(seats.length, scene.you);
  const others = order.filter((seat) => seat !== scene.you);
  const board = laid.filter((part) => part.kind === "pieces");
  const loose = laid.filter((part) => part.kind !== "pieces");
  return h("div.table", { class: board.length ? "with-board" : "", "data-seats": seats.length },
    h("div.players", { role: "group", "aria-label": "players" }, others.map((seat) => drawPlayer(scene, byPlayer, seat))),
    h("div.marks", { role: "group", "aria-label": "the state of the table" }, marks.map((part) => drawMark(scene, part))),
    h("div.middle", null,
      board.map((part) => scene.board && h("div.board-frame", { "data-key": "board" }, drawBoard(scene, part.value, part.name))),
      h("div.laid", null, loose.map((part) => drawPart(scene, part)))),
    scene.you !== null && h("div.mine", null,
      drawPlayer(scene, byPlayer, scene.you),
      own.map((part) => drawPart(scene, part))));
}

/** The seats clockwise, beginning at the left of the reader. @param {number} count @param {number | null} you */
const roundTheTable = (count, you) => [...Array(count).keys()].map((n) => ((you ?? -1) + 1 + n) % count);

/** @param {Scene} scene @param {Part} part */
const isThere = (scene, part) =>
  (part.value !== null && !(Array.isArray(part.value) && !part.value.length && !CARDS.has(part.kind) && part.kind !== "dice")) ||
  scene.choices.some((one) => one.places.some((place) => place.at === part.name));

/** Whether each seat or side has one of these. @param {Scene} scene @param {Part} part */
function isByPlayer(scene, part) {
  const owners = part.owner === "each" ? scene.match.seats.length : part.owner === "side" ? scene.match.sides.length : -1;
  return Array.isArray(part.value) && part.value.length === owners && part.kind !== "pieces";
}

// ── Players ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Scene} scene @param {Part[]} parts @param {number} seat */
function drawPlayer(scene, parts, seat) {
  const sitter = scene.match.seats[seat];
  const acting = scene.match.to_act.includes(seat);
  const place = scene.match.result?.places?.[seat];
  const offered = seatChoices(scene, seat);
  const view = scene.match.table ?? {};
  return h("div.player", {
      role: "group", "data-key": `seat-${seat}`, class: `${acting ? "acting" : ""} ${sitter.resigned ? "resigned" : ""} tint-${scene.sideOf(seat) % 4}`,
      "aria-label": `${scene.name(seat)}${acting ? ", to act" : ""}`,
    },
    h("header", null,
      h("span.who", scene.act(offered, `choose ${scene.name(seat)}`), sitter.name ?? "open seat"),
      seat === scene.you && h("span.tag", null, "you"),
      sitter.kind === "bot" && !sitter.name?.includes(sitter.level) && h("span.tag", { title: "a bot plays this seat" }, sitter.level),
      sitter.kind === "program" && h("span.tag", { title: "a program plays this seat" }, "program"),
      view.dealer === seat && h("span.tag.dealer", { title: "deals this hand" }, "dealer"),
      place && h("span.tag.place", null, place === 1 ? "winner" : `place ${place}`),
      acting && h("span.turn", { "data-deadline": scene.deadlines[seat] ?? null, "data-own": "", "aria-hidden": "true" })),
    h("div.has", null, parts.map((part) => drawShare(scene, part, part.owner === "each" ? seat : scene.sideOf(seat), seat))));
}

/** Choices that name this seat. @param {Scene} scene @param {number} seat */
const seatChoices = (scene, seat) =>
  scene.choices.filter((one) => one.places.some((place) => place.thing === "seat" && place.value === String(seat)));

/**
 * What one seat or side has of a part.
 * @param {Scene} scene
 * @param {Part} part
 * @param {number} owner
 * @param {number} seat
 */
function drawShare(scene, part, owner, seat) {
  const value = part.value[owner];
  const schema = fitting(itemOf(part.schema, owner), value);
  if (value === null || value === undefined || (Array.isArray(value) && !value.length)) return null;
  const label = labelOf(part);
  if (CARDS.has(part.kind)) {
    // What is counted elsewhere, and shown as backs there, is not shown twice.
    return h("div.share", { "data-key": part.name }, h("span.label", null, label), drawHeap(scene, part, value, schema, seat === scene.you || part.kind !== "hand"));
  }
  if (part.kind === "count" && part.schema["x-part"].of === "hand") {
    if (seat === scene.you) return null;
    return h("div.share.backs", { "data-key": part.name, title: `${value} cards` },
      [...Array(Math.min(value, 5)).keys()].map(() => card(null)), h("span.number", null, value));
  }
  if (value === false || value === 0 && part.kind === "count") return null;
  const number = typeof value === "number";
  return h("div.share.fact", { "data-key": part.name, class: part.kind, title: part.schema.description ?? "" },
    h("span.label", null, label), value === true ? null : h("span.value", { class: number ? "figure" : "" }, writeValue(scene, value, schema)));
}

/** @param {Part} part */
const labelOf = (part) => inWords(part.name).replace(/^side /, "").replace(/ counts?$/, "s").replace(/ss$/, "s");

// ── What lies on the table ──────────────────────────────────────────────────────────────────────────────────────────

/** @param {Scene} scene @param {Part} part */
function drawMark(scene, part) {
  if (SHOWN_OTHERWISE.has(part.kind) || SHOWN_OTHERWISE.has(part.name) || part.value === false || (isNothing(part) && !marked(scene, part).length)) return null;
  const offered = scene.at(part.name);
  return h("span.mark", { "data-key": part.name, title: part.schema.description ?? "", ...scene.act(offered, inWords(part.name)) },
    h("span.label", null, inWords(part.name)), part.value === true || part.value === null ? null : h("b", null, writeValue(scene, part.value, part.schema)));
}

/** @param {Part} part */
const isNothing = (part) => part.value === null || (part.value === 0 && part.kind === "count");

/** @param {Scene} scene @param {Part} part */
const marked = (scene, part) => scene.choices.filter((one) => one.places.some((place) => place.at === part.name));

/** @param {Scene} scene @param {Part} part */
function drawPart(scene, part) {
  const offered = scene.at(part.name);
  const owner = whose(scene, part);
  const label = `${labelOf(part)}${owner ? ` of ${owner}` : ""}`;
  const drawn = part.kind === "dice" ? drawDice(scene, part) : CARDS.has(part.kind) || part.kind === "count" ? drawCards(scene, part) : writeValue(scene, part.value, part.schema);
  const empty = part.value === null || (Array.isArray(part.value) && !part.value.length);
  if (empty && !offered.length && part.kind !== "trick" && part.owner !== "you") return null;
  return h("section.part", { "data-key": part.path.join("."), class: `is-${part.kind} of-${part.owner} ${offered.length ? "can" : ""}`, "aria-label": label },
    h("span.label", offered.length ? scene.act(offered, label) : null, label), drawn);
}

/** The seat that a record in a list is about. @param {Scene} scene @param {Part} part */
function whose(scene, part) {
  if (!part.path.some(Number.isInteger)) return "";
  for (const [name, field] of Object.entries(part.within.schema?.properties ?? {})) {
    if (field["x-is"] === "seat" && Number.isInteger(part.within.value[name])) return scene.name(part.within.value[name]);
  }
  return "";
}

/** @param {Scene} scene @param {Part} part */
function drawDice(scene, part) {
  const values = [part.value ?? []].flat(2);
  return h("div.dice", { role: "img", "aria-label": values.length ? `shows ${values.join(", ")}` : "not thrown" }, values.map((value, n) => {
    const offered = scene.at(part.name, value);
    return h("span.throw", { "data-key": `${n}`, class: `${offered.length ? "can" : ""} ${scene.isChosen(part.name, value) ? "chosen" : ""}`, ...scene.act(offered, `the ${value}`) }, die(value));
  }));
}

/** @param {Scene} scene @param {Part} part */
function drawCards(scene, part) {
  if (part.kind === "count") {
    const offered = scene.at(part.name);
    return h("div.heap.stack", { ...scene.act(offered, labelOf(part)), class: offered.length ? "can" : "" }, part.value ? card(null) : h("span.gap"), h("span.number", null, part.value));
  }
  return drawHeap(scene, part, part.value ?? [], fitting(part.schema, part.value), true);
}

/**
 * Cards in a line, in a stack, or in several heaps.
 * @param {Scene} scene
 * @param {Part} part
 * @param {any} value
 * @param {any} schema
 * @param {boolean} open
 * @returns {HTMLElement}
 */
function drawHeap(scene, part, value, schema, open) {
  if (!Array.isArray(value)) return h("div.heap", null, drawThing(scene, part, value, schema));
  const first = value.length ? fitting(itemOf(schema, 0), value[0]) : {};
  const heaps = value.some((one) => Array.isArray(one)) || (value.length && first.properties && !holdsSeatAndCard(first));
  if (heaps) {
    return h("div.heaps", null, value.map((one, place) => {
      const inner = fitting(itemOf(schema, place), one);
      const offered = scene.at(part.name, place);
      const cards = Array.isArray(one) ? one : Object.values(one).find(Array.isArray) ?? [];
      const about = Array.isArray(one) ? "" : Object.entries(inner.properties ?? {}).filter(([name, field]) => field["x-is"] === "seat" && one[name] !== null).map(([name]) => scene.name(one[name])).join("");
      return h("div.heap.row", { "data-key": `${place}`, class: offered.length ? "can" : "", ...scene.act(offered, `${labelOf(part)} ${place + 1}`) },
        about && h("span.label", null, about), cards.map((/** @type {any} */ each, /** @type {number} */ n) => drawThing(scene, part, each?.card ?? each, itemOf(inner, n))));
    }));
  }
  if (holdsSeatAndCard(first) || part.kind === "trick") return drawTrick(scene, part, value, schema);
  const stacked = part.kind === "pile" && value.length > 1 && !value.some((one) => scene.at(part.name, one).length);
  if (stacked) {
    const top = part.schema["x-part"].order === "top_to_bottom" ? value[0] : value[value.length - 1];
    return h("details.stack", { "data-key": "stack" },
      h("summary", { "aria-label": `${value.length} cards, ${cardName(top)} on top` }, drawThing(scene, part, top, itemOf(schema, 0)), h("span.number", null, value.length)),
      h("div.heap.row.small", null, value.map((one, n) => drawThing(scene, part, one, itemOf(schema, n)))));
  }
  const tight = value.length > FEW && !(part.kind === "hand" && part.owner === "you");
  return h("div.heap.row", { class: `${tight ? "tight" : ""} ${part.kind}`, style: null }, value.map((one, n) => drawThing(scene, part, one, itemOf(schema, n))));
}

/** @param {any} schema */
function holdsSeatAndCard(schema) {
  const fields = Object.values(schema.properties ?? {});
  return fields.some((one) => one["x-is"] === "seat") && fields.some((one) => one["x-piece"]);
}

/** Each card with the name of its player. @param {Scene} scene @param {Part} part @param {any[]} value @param {any} schema */
function drawTrick(scene, part, value, schema) {
  return h("div.trick-cards", null, value.length ? value.map((play, place) => {
    const inner = fitting(itemOf(schema, place), play);
    if (typeof play !== "object" || play === null) return drawThing(scene, part, play, inner);
    const [seatField] = Object.entries(inner.properties).find(([, field]) => field["x-is"] === "seat") ?? ["seat"];
    const [cardField] = Object.entries(inner.properties).find(([, field]) => field["x-piece"]) ?? ["card"];
    return h("figure.played", { "data-key": `played-${play[seatField]}-${play[cardField]}` },
      drawThing(scene, part, play[cardField], inner.properties[cardField]),
      h("figcaption", null, scene.name(play[seatField])));
  }) : h("span.gap.wide", { role: "img", "aria-label": "nothing played yet" }));
}

/**
 * One card, or a word where it is none.
 * @param {Scene} scene
 * @param {Part} part
 * @param {any} value
 * @param {any} schema
 */
function drawThing(scene, part, value, schema) {
  if (value !== null && typeof value === "object") return h("span.value", null, writeValue(scene, value, schema));
  const offered = scene.at(part.name, value);
  const down = part.schema["x-part"].face === "down";
  const dim = scene.choices.length && part.owner === "you" && part.kind === "hand" && !offered.length;
  const chosen = value !== null && scene.isChosen(part.name, value);
  return h("span.thing", {
      class: `${offered.length ? "can" : ""} ${dim ? "dim" : ""} ${chosen ? "chosen" : ""}`, "data-glide": value === null ? null : `card ${value}`,
      "data-key": value === null ? null : `card-${value}`, "data-card": value,
      ...(offered.length ? scene.act(offered, cardName(value)) : { role: "img", "aria-label": `${cardName(value)}${down ? ", face down" : ""}` }),
    }, card(value, down));
}

// ── Values in words ─────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * @param {Scene} scene
 * @param {any} value
 * @param {any} given
 * @returns {string}
 */
export function writeValue(scene, value, given) {
  const schema = fitting(given ?? {}, value);
  if (value === null || value === undefined) return "—";
  if (value === true || value === false) return value ? "yes" : "no";
  if (schema["x-is"] === "seat") return scene.name(value);
  if (Array.isArray(value)) return value.map((one, place) => writeValue(scene, one, itemOf(schema, place))).join(", ") || "—";
  if (typeof value === "object") {
    return Object.entries(value).filter(([, one]) => one !== null && one !== false)
      .map(([name, one]) => `${inWords(name)} ${writeValue(scene, one, schema.properties?.[name])}`).join(", ");
  }
  if (typeof value === "string" && value in SUITS) return value;
  return typeof value === "string" ? inWords(value) : String(value);
}
