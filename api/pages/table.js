/** The table: the players round it, what lies on it, your own cards below. It knows parts, and no game. */

import { h } from "./dom.js";
import { drawBoard } from "./board.js";
import { CARDS, drawHeap, drawPart } from "./heaps.js";
import { labelFor } from "./labels.js";
import { card, cardName, cube } from "./pieces.js";
import { fitting, itemOf } from "./schemas.js";
import { drawValue, seatsIn, writeValue } from "./values.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./schemas.js").Part} Part */
/** @typedef {{part: Part, values: any[]}} Gathered what a seat has of a list of records that name seats */

/** Marks that the table shows in other ways: by the place of the light, or by what can be done. */
const SHOWN_OTHERWISE = new Set(["turn", "phase"]);
const LARGE = 7; // seats from which the players sit closer

/** @param {Scene} scene */
export function drawTable(scene) {
  const seats = scene.match.seats;
  const at = arranged(scene);
  const others = roundTheTable(seats.length, scene.you).filter((seat) => seat !== scene.you);
  const board = scene.board ? at.laid.filter((part) => part.kind === "pieces") : [];
  const loose = at.laid.filter((part) => part.kind !== "pieces").map((part) => drawPart(scene, part)).filter(Boolean);
  return h("div.table", { class: `${board.length && !at.own.length ? "board-alone" : ""} ${seats.length >= LARGE ? "large" : ""}`, "data-seats": seats.length },
    h("div.players", { role: "group", "aria-label": "players", "data-columns": others.length < 5 ? others.length : Math.ceil(others.length / 2) }, others.map((seat) => drawPlayer(scene, at, seat))),
    h("div.marks", { role: "group", "aria-label": "the state of the table" }, at.marks.map((part) => drawMark(scene, part))),
    h("div.middle", { role: "group", "aria-label": "on the table", tabindex: 0 },
      board.map((part) => h("div.board-frame", { "data-key": "board" }, drawBoard(scene, part.value, part.name))),
      (loose.length > 0 || at.lines.length > 0) && h("div.laid", null, at.lines.map((part) => drawLines(scene, part)), at.cube && scene.match.table.cube.owner === null && drawCube(scene, at.cube), loose)),
    scene.you !== null && h("div.mine", { role: "group", "aria-label": "yours" },
      drawPlayer(scene, at, scene.you),
      at.own.map((part) => drawPart(scene, part))));
}

/** The seats clockwise, beginning at the left of the reader. @param {number} count @param {number | null} you */
const roundTheTable = (count, you) => [...Array(count).keys()].map((n) => ((you ?? -1) + 1 + n) % count);

/** Which part is drawn where. @param {Scene} scene */
function arranged(scene) {
  /** @type {Part[][]} */
  const [shares, marks, own, laid, lines] = [[], [], [], [], []];
  /** @type {Map<number, string[]>} */
  const tags = new Map();
  /** @type {Map<number, Gathered[]>} */
  const gathered = new Map();
  /** @type {Part | null} */
  let cubed = null;
  const thrown = scene.parts.find((part) => part.name === "numbers")?.value;
  for (const part of scene.parts) {
    // What is shut, such as a race that is over, is shown no longer.
    if (part.within.value?.open === false) continue;
    const seats = part.kind === "mark" ? seatsIn(part.value, part.schema) : null;
    const holder = holderOf(part);
    if (SHOWN_OTHERWISE.has(part.name) || isCountedBeside(scene, part) || isSaidBySeat(scene, part) || isShownInHand(scene, part)) continue;
    if (part.name === "dice" && part.value?.length && String([...part.value].sort()) === String([...(thrown ?? [])].sort())) continue;
    if (part.name === "cube.value") cubed = part;
    else if (seats) seats.forEach((seat, n) => add(tags, seat, `${labelFor(part.name)}${part.name.endsWith("order") ? ` ${n + 1}` : ""}`));
    else if (holder !== null) gather(gathered, holder, part, part.value);
    else if (isLines(scene, part)) lines.push(part);
    else if (isByPlayer(scene, part)) shares.push(part);
    else if (isRecords(part)) for (const one of part.value) gather(gathered, one.seat, part, one.cards ?? one);
    else if (!CARDS.has(part.kind) && !["dice", "pieces", "count"].includes(part.kind)) marks.push(part);
    else if (part.owner === "you") own.push(part);
    else laid.push(part);
  }
  return { shares, marks, own, laid, lines, tags, gathered, cube: cubed };
}

/** @template T @param {Map<number, T[]>} all @param {number} seat @param {T} one */
const add = (all, seat, one) => all.set(seat, [...(all.get(seat) ?? []), one]);

/** @param {Map<number, Gathered[]>} all @param {number} seat @param {Part} part @param {any} value */
function gather(all, seat, part, value) {
  const known = all.get(seat)?.find((one) => one.part.name === part.name);
  if (known) known.values.push(value);
  else add(all, seat, { part, values: [value] });
}

/** How many there are need not be said of what is shown. @param {Scene} scene @param {Part} part */
function isCountedBeside(scene, part) {
  const of = part.kind === "count" && part.schema["x-part"].of;
  const shown = of === "hand" ? "hands" : of;
  return Boolean(of) && scene.parts.some((one) => one.name.split(".").pop() === shown && one !== part && one.value !== null);
}

/** The points of sides are those of seats where each plays for itself. @param {Scene} scene @param {Part} part */
const isSaidBySeat = (scene, part) =>
  part.owner === "side" && scene.match.sides.length === scene.match.seats.length && scene.parts.some((one) => `side_${one.name}` === part.name);

/** What is left over at the end is what lies open in the hands. @param {Scene} scene @param {Part} part */
const isShownInHand = (scene, part) => part.name !== "hands" && part.owner === "each" && CARDS.has(part.kind) && part.value?.some?.((/** @type {any} */ one) => one?.length) &&
  scene.parts.some((one) => one.name === "hands" && JSON.stringify(one.value) === JSON.stringify(part.value));

/** The seat that a record in a list is about. @param {Part} part @returns {number | null} */
function holderOf(part) {
  if (!part.path.some(Number.isInteger)) return null;
  const found = Object.entries(part.within.schema?.properties ?? {}).find(([, field]) => field["x-is"] === "seat");
  return found && Number.isInteger(part.within.value[found[0]]) ? part.within.value[found[0]] : null;
}

/** Records that each name a seat, such as sets with who completed them. @param {Part} part */
const isRecords = (part) => part.kind !== "trick" && Array.isArray(part.value) && Number.isInteger(part.value[0]?.seat);

/** Whether each seat or side has one of these. @param {Scene} scene @param {Part} part */
function isByPlayer(scene, part) {
  const owners = part.owner === "each" ? scene.match.seats.length : part.owner === "side" ? scene.match.sides.length : -1;
  return Array.isArray(part.value) && part.value.length === owners && part.kind !== "pieces";
}

/** A score that each seat has several numbers of, such as the runs of the innings. @param {Scene} scene @param {Part} part */
const isLines = (scene, part) => part.kind === "score" && isByPlayer(scene, part) && part.value.every(Array.isArray);

// ── Players ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Scene} scene @param {ReturnType<typeof arranged>} at @param {number} seat */
function drawPlayer(scene, at, seat) {
  const sitter = scene.match.seats[seat];
  const acting = scene.match.to_act.includes(seat);
  const place = scene.match.result?.places?.[seat];
  const offered = scene.choices.filter((one) => one.places.some((spot) => spot.thing === "seat" && spot.value === String(seat)));
  const score = (/** @type {Part} */ part) => part.kind === "score";
  const share = (/** @type {Part} */ part) => drawShare(scene, part, part.owner === "each" ? seat : scene.sideOf(seat), seat);
  return h("div.player", {
      role: "group", "data-key": `seat-${seat}`, class: `${acting ? "acting" : ""} ${sitter.resigned ? "resigned" : ""} ${scene.board || scene.match.sides.length < scene.match.seats.length ? `tint-${scene.colourOf(scene.sideOf(seat)) % 4}` : ""}`,
      "aria-label": `${scene.name(seat)}${acting ? ", to act" : ""}`,
    },
    h("header", null,
      h("span.who", scene.act(offered, `choose ${scene.name(seat)}`), sitter.name ?? "open seat"),
      seat === scene.you && h("span.tag", null, "you"),
      sitter.kind === "bot" && !sitter.name?.includes(sitter.level) && h("span.tag", { title: "a bot plays this seat" }, sitter.level),
      sitter.kind === "program" && h("span.tag", { title: "a program plays this seat" }, "program"),
      sitter.resigned && h("span.tag", null, "resigned"),
      (at.tags.get(seat) ?? []).map((label) => h("span.tag", { "data-key": `tag ${label}` }, label)),
      place && h("span.tag.place", null, place === 1 ? "winner" : `place ${place}`),
      acting && h("span.turn", { "data-key": "turn", "data-deadline": scene.deadlines[seat] ?? null, "data-own": "", "aria-hidden": "true" })),
    h("div.has", null,
      at.shares.filter(score).map(share), at.shares.filter((part) => !score(part)).map(share),
      (at.gathered.get(seat) ?? []).map((one) => drawGathered(scene, one)),
      at.cube && scene.match.table.cube.owner === seat && drawCube(scene, at.cube)));
}

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
  if (value === null || value === undefined || value === false || (Array.isArray(value) && !value.length)) return null;
  const label = h("span.label", null, labelFor(part.name));
  if (CARDS.has(part.kind)) return h("div.share", { "data-key": part.name }, label, drawHeap(scene, part, value, schema, seat));
  if (part.kind === "count" && part.schema["x-part"].of === "hand") {
    if (seat === scene.you || !value) return null;
    return h("div.share.backs", { "data-key": part.name, role: "img", "aria-label": `${value} cards in hand` },
      [...Array(Math.min(value, 5)).keys()].map(() => card(null)), h("span.number", null, value));
  }
  if (value === 0 && part.kind === "count") return null;
  return h("div.share.fact", { "data-key": part.name, class: part.kind, title: part.schema.description ?? "" },
    label, value !== true && h("span.value", { class: typeof value === "number" ? "figure" : "" }, drawValue(scene, value, schema, part.name)));
}

/** Tricks and sets of one seat out of a list of all. @param {Scene} scene @param {Gathered} gathered */
function drawGathered(scene, { part, values }) {
  const label = h("span.label", null, labelFor(part.name));
  if (!CARDS.has(part.kind)) {
    const told = values.map((one) => Object.entries(one).filter(([name]) => name !== "seat").map(([name, value]) => writeValue(scene, value, part.schema.items?.properties?.[name], name)).join(" "));
    return h("div.share.fact", { "data-key": part.name }, label, h("span.value", null, told.join(", ")));
  }
  return h("div.share", { "data-key": part.name },
    h("details.stack", { "data-key": "stack" }, h("summary", null, label, h("span.number", null, values.length)),
      h("div.spread", null, values.map((cards, n) => h("div.heap.row.small", { "data-key": `${n}` },
        cards.map((/** @type {any} */ one) => h("span.thing", { role: "img", "aria-label": cardName(one) }, card(one))))))));
}

// ── Beside the cards ────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Scene} scene @param {Part} part */
function drawMark(scene, part) {
  if (part.value === null || part.value === false || (part.value === 0 && /_no$/.test(part.name)) || (Array.isArray(part.value) && !part.value.length)) return null;
  return h("span.mark", { "data-key": part.name, title: part.schema.description ?? "" },
    h("span.label", null, labelFor(part.name)), part.value !== true && h("b", null, drawValue(scene, part.value, part.schema, part.name)));
}

/** @param {Scene} scene @param {Part} part */
function drawCube(scene, part) {
  const offered = scene.at("cube");
  const owner = scene.match.table.cube.owner;
  const said = `the cube shows ${part.value}, ${owner === null ? "in the middle" : `owned by ${scene.name(owner)}`}`;
  return h("span.throw", { "data-key": "cube", "data-glide": "cube", class: offered.length ? "can" : "", ...(offered.length ? scene.act(offered, said) : { role: "img", "aria-label": said }) }, cube(part.value));
}

/** Numbers of each seat under one another, with their sum. @param {Scene} scene @param {Part} part */
function drawLines(scene, part) {
  const columns = Math.max(1, ...part.value.map((/** @type {number[]} */ line) => line.length));
  const sum = (/** @type {number[]} */ line) => line.reduce((all, one) => all + one, 0);
  return h("table.lines", { "data-key": part.name, "aria-label": labelFor(part.name) },
    h("thead", null, h("tr", null, h("td"), [...Array(columns).keys()].map((n) => h("th", { scope: "col" }, n + 1)), h("th", { scope: "col" }, "all"))),
    h("tbody", null, part.value.map((/** @type {number[]} */ line, /** @type {number} */ seat) => h("tr", { "data-key": `${seat}` },
      h("th", { scope: "row" }, scene.name(seat)), [...Array(columns).keys()].map((n) => h("td", null, line[n] ?? "")), h("td.sum", null, sum(line))))));
}
