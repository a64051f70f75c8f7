/** What a replay tells beside the table: the score by hand, how long each thought, what could be done. */

import { h, inWords, s } from "./dom.js";
import { fieldName } from "./labels.js";
import { writeValue } from "./values.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {{version: number, totals: number[]}} Scored after a hand or a game */
/** @typedef {{before: number[], seats: {count: number, sum: number, longest: number}[]}} Pauses seconds before each event, and by seat */

const [WIDE, HIGH, EDGE] = [300, 110, 6];
const MANY = 40; // values of one field that are told one by one

// ── The score ───────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * The totals after each row of a score sheet, with the version of the event that the row is about.
 * @param {string} sheet as CSV
 * @param {any[]} events
 * @returns {Scored[]}
 */
export function scoresOf(sheet, events) {
  const rows = sheet.trimEnd().split("\n").slice(1).map((line) => line.split(","));
  const seats = rows.length ? (rows[0].length - 2) / 3 : 0;
  let at = 0;
  return rows.filter(([number]) => number !== "").map((row) => {
    at = 1 + events.findIndex(({ event }, place) => place >= at && event.type === row[1]);
    return { version: at, totals: row.slice(2 + seats, 2 + 2 * seats).map(Number) };
  });
}

/**
 * A line for each side, from nothing to the last hand; and the same as a table.
 * @param {Scene} scene
 * @param {Scored[]} scores
 * @param {number} at
 * @param {(version: number) => void} turn
 */
export function drawChart(scene, scores, at, turn) {
  const sides = scene.match.sides.map((/** @type {number[]} */ members) => members[0]);
  const all = scores.flatMap((one) => one.totals);
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const x = (/** @type {number} */ n) => EDGE + ((WIDE - 2 * EDGE) * n) / scores.length;
  const y = (/** @type {number} */ total) => HIGH - EDGE - ((HIGH - 2 * EDGE) * (total - low)) / (high - low);
  const past = scores.filter((one) => one.version <= at).length;
  return h("div", null,
    s("svg.chart", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" },
      s("line.zero", { x1: 0, x2: WIDE, y1: y(0), y2: y(0) }),
      s("line.here", { x1: x(past), x2: x(past), y1: 0, y2: HIGH }),
      sides.map((/** @type {number} */ seat, /** @type {number} */ side) => s(`polyline.line-${side % 6}`, {
        points: [[0, 0], ...scores.map((one, n) => [n + 1, one.totals[seat]])].map(([n, total]) => `${x(n).toFixed(1)},${y(total).toFixed(1)}`).join(" ") }))),
    h("div.scrolled.low", { tabindex: 0, role: "region", "aria-label": "score by hand" }, h("table.sheet", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "hand"), sides.map((/** @type {number} */ _, /** @type {number} */ side) => h("th", { scope: "col", class: `line-${side % 6}` }, scene.sideName(side))))),
      h("tbody", null, scores.map((one, n) => h("tr", { class: n + 1 === past ? "now" : "" },
        h("td", null, h("button.link", { "aria-label": `to the end of hand ${n + 1}`, onclick: () => turn(one.version) }, n + 1)),
        sides.map((/** @type {number} */ seat) => h("td.figure", null, one.totals[seat]))))))));
}

// ── Time ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {any[]} events @param {number} seats @returns {Pauses} */
export function pauses(events, seats) {
  const found = { before: /** @type {number[]} */ ([]), seats: Array.from({ length: seats }, () => ({ count: 0, sum: 0, longest: 0 })) };
  let before = null;
  let last = null;
  for (const { event } of events) {
    if (last && event.command_id !== last.command_id) before = last;
    const fresh = !last || event.command_id !== last.command_id;
    const seconds = before ? Math.max(0, (Date.parse(event.at) - Date.parse(before.at)) / 1000) : 0;
    found.before.push(seconds);
    const seat = found.seats[Number(/^seat:(\d+)$/.exec(event.actor)?.[1] ?? -1)];
    if (seat && fresh) {
      seat.count += 1;
      seat.sum += seconds;
      seat.longest = Math.max(seat.longest, seconds);
    }
    last = event;
  }
  return found;
}

/** @param {number} seconds */
export const written = (seconds) => (seconds < 10 ? `${seconds.toFixed(1)} s` : seconds < 120 ? `${Math.round(seconds)} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`);

/** @param {Scene} scene @param {Pauses} times */
export const drawTimes = (scene, times) => h("div.scrolled", { tabindex: 0, role: "region", "aria-label": "how long each thought" }, h("table.sheet", null,
  h("thead", null, h("tr", null, ["seat", "commands", "each", "longest", "all"].map((name) => h("th", { scope: "col" }, name)))),
  h("tbody", null, times.seats.map(({ count, sum, longest }, seat) => h("tr", null, h("th", { scope: "row" }, scene.match.seats[seat].name),
    h("td.figure", null, count), h("td.figure", null, written(count ? sum / count : 0)), h("td.figure", null, written(longest)), h("td.figure", null, written(sum)))))));

// ── What could be done ──────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Scene} scene @param {Record<string, any[]>} legal by seat */
export function drawLegal(scene, legal) {
  const seats = Object.entries(legal);
  if (!seats.length) return h("p", null, "Nobody was to act here, or these eyes could not know what was possible.");
  return h("ul.could", null, seats.map(([seat, commands]) => h("li", null, h("b", null, scene.match.seats[Number(seat)].name), h("ul", null, kinds(scene, commands)))));
}

/** @param {Scene} scene @param {any[]} commands of one seat */
function kinds(scene, commands) {
  return [...new Set(commands.map((one) => one.type))].map((type) => {
    const schema = scene.game.schemas.commands[type];
    const told = [...new Set(commands.filter((one) => one.type === type).map((one) => settled(scene, one, schema)).filter(Boolean))];
    const rest = told.length > MANY ? ` and ${told.length - MANY} more` : "";
    return h("li", null, (schema.description ?? inWords(type)).replace(/\.$/, ""), told.length > 0 && `: ${told.slice(0, MANY).join("; ")}${rest}`);
  });
}

/** @param {Scene} scene @param {any} command @param {any} schema */
function settled(scene, command, schema) {
  const fields = Object.entries(command).filter(([name, value]) => name !== "type" && name in schema.properties && value !== null);
  return fields.map(([name, value]) => (fields.length > 1 ? `${fieldName(name)} ` : "") + writeValue(scene, value, schema.properties[name], name)).join(", ");
}
