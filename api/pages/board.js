/** A board as a drawing, from the geometry that the server gives: cells with coordinates, shapes and names. */

import { copied, s } from "./dom.js";
import { man } from "./pieces.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./choices.js").Choice} Choice */
/** @typedef {{x: number, y: number, up: boolean}} Box */

const TALL = 4.6; // a point is so many times as long as it is wide
const BETWEEN = 0.6; // the rows of points
const CROWDED = 5; // men that lie in line before they are counted
const FINGERTIP = 30; // pixels around a tap in which something is meant by it

/** A screen on which a long board is turned upright, so that there is room for a thumb on each point. */
export const NARROW = window.matchMedia("(max-width: 30rem)");

/**
 * @param {Scene} scene
 * @param {any[]} pieces
 * @param {string} at the name of the part
 */
export function drawBoard(scene, pieces, at) {
  const board = scene.board;
  const kind = kindOf(board);
  const points = kind === "points";
  const high = points ? TALL : 1;
  const place = turning(scene, kind);
  /** @param {any} cell @returns {Box} */
  const box = (cell) => {
    const { x, y } = place(cell);
    return { x, y: y * (high + (points ? BETWEEN : 0)), up: points && y === 1 };
  };
  const height = board.height * high + (points ? BETWEEN : 0);
  const margin = points ? 0.5 : kind === "diamond" ? 0.3 : 0.1; // the numbers of the points stand on the rim
  const standing = new Map();
  for (const piece of pieces) standing.set(piece.cell, [...(standing.get(piece.cell) ?? []), piece]);
  const upright = points && NARROW.matches;
  const [wide, tall] = [board.width + 2 * margin, height + 2 * margin];
  return s("svg.board", {
      class: `${kind} ${upright ? "upright" : ""}`, viewBox: upright ? `${-tall + margin} ${-margin} ${tall} ${wide}` : `${-margin} ${-margin} ${wide} ${tall}`,
      role: "group", "aria-label": "board", onclick: nearest,
    },
    s("g.grounds", upright ? { transform: "rotate(90)" } : null,
      s("rect.ground", { x: -margin, y: -margin, width: wide, height: tall, rx: 0.2 }),
      kind === "squares" && s("path.light", { d: [...Array(64).keys()].filter((n) => (n + (n >> 3)) % 2 === 0).map((n) => `M${n % 8} ${n >> 3}h1v1h-1z`).join("") }),
      kind === "diamond" && s("path.way", { d: `M${board.cells.map((/** @type {any} */ cell) => `${box(cell).x + 0.5} ${box(cell).y + 0.5}`).join("L")}Z` })),
    s("g.cells", upright ? { transform: "rotate(90)" } : null,
      board.cells.map((/** @type {any} */ cell) => drawCell(scene, cell, box(cell), high, standing.get(cell.id) ?? [], at, kind))));
}

/** A finger that comes down beside a small cell means the one next to it. @param {MouseEvent} tap */
function nearest(tap) {
  if (/** @type {Element} */ (tap.target).closest(".can, .chosen")) return;
  const away = (/** @type {Element} */ cell) => {
    const { left, right, top, bottom } = cell.getBoundingClientRect();
    return Math.hypot(Math.max(left - tap.clientX, 0, tap.clientX - right), Math.max(top - tap.clientY, 0, tap.clientY - bottom));
  };
  const near = [.../** @type {Element} */ (tap.currentTarget).querySelectorAll(".cell.can")].map((cell) => ({ cell, far: away(cell) })).sort((one, other) => one.far - other.far);
  if (near[0]?.far <= FINGERTIP) near[0].cell.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}

/** @param {any} board */
function kindOf(board) {
  if (board.cells.some((/** @type {any} */ cell) => cell.shape === "point")) return "points";
  return board.cells.length === 32 ? "squares" : board.cells.length < 6 ? "diamond" : "cross";
}

/**
 * Where a cell lies to somebody who sits at the lower rim; spectators see it as the first seat does.
 * @param {Scene} scene
 * @param {string} kind
 * @returns {(cell: any) => {x: number, y: number}}
 */
function turning(scene, kind) {
  const { width, height, cells } = scene.board;
  const side = scene.side ?? 0;
  if (kind === "points") return ({ x, y }) => ({ x, y: side === 1 ? height - 1 - y : y });
  // Dark's squares are counted first, and lie above.
  if (kind === "squares") return ({ x, y }) => (scene.colourOf(side) === 1 ? { x: width - 1 - x, y: height - 1 - y } : { x, y });
  const home = kind === "cross" && cells.find((/** @type {any} */ cell) => cell.kind === "home" && cell.home === side);
  let turn = (/** @type {any} */ { x, y }) => ({ x, y });
  for (let n = 0; home && n < 3 && turn(home).y <= height / 2; n += 1) {
    const before = turn;
    turn = (cell) => ({ x: width - 1 - before(cell).y, y: before(cell).x });
  }
  return turn;
}

/**
 * @param {Scene} scene
 * @param {any} cell
 * @param {Box} box
 * @param {number} high
 * @param {any[]} pieces
 * @param {string} at
 * @param {string} kind
 */
function drawCell(scene, cell, box, high, pieces, at, kind) {
  const called = nameOf(scene, cell);
  // A command names the cell, or the piece on it where pieces have names of their own.
  const own = pieces.filter((one) => one.side === scene.side && one.name !== undefined);
  const offered = [...new Set([...[called, ...own.map((one) => one.name)].flatMap((spot) => scene.at(at, spot)), ...scene.at("board", called)])];
  const label = spoken(scene, cell, pieces);
  const chosen = scene.isChosen(at, called) || own.some((one) => scene.isChosen(at, one.name));
  const act = offered.length ? scene.act(offered, label) : chosen ? scene.release(label) : { role: "img", "aria-label": label };
  const make = () => s("g.cell", {
      "data-key": `cell-${cell.id}`, class: `${cell.kind} ${cell.shape} ${offered.length ? "can" : ""} ${chosen ? "chosen" : ""} ${cell.home === null ? "" : `home-${cell.home % 4}`}`,
      transform: `translate(${box.x} ${box.y})`, ...act,
    },
    high > 1 && s("rect.hit", { width: 1, height: high }),
    (offered.length > 0 || chosen) && shape(cell, box.up, high, kind, "rim-light"),
    shape(cell, box.up, high, kind),
    caption(scene, cell, box, high, pieces, kind),
    crowd(scene, pieces, cell, box.up, high));
  // Most cells are as they were.
  const men = pieces.map((one) => [scene.colourOf(one.side), one.side, one.kind, one.count]);
  return offered.length || chosen ? make() : copied(`cell ${[kind, cell.id, box.x, box.y, called, label, JSON.stringify(men)].join(" ")}`, make);
}

/** @param {any} cell @param {boolean} up @param {number} high @param {string} kind @param {string} [name] */
function shape(cell, up, high, kind, name = "ground") {
  if (cell.shape === "point") return s(`path.${name}`, { class: cell.x % 2 === cell.y % 2 ? "dark" : "pale", d: up ? `M0 ${high}H1L0.5 0.25Z` : `M0 0H1L0.5 ${high - 0.25}Z` });
  if (cell.shape === "circle") return s(`circle.${name}`, { cx: 0.5, cy: 0.5, r: 0.47 });
  if (kind === "diamond") return s(`path.${name}`, { d: "M0.5 0.08L0.92 0.5L0.5 0.92L0.08 0.5Z" });
  return s(`rect.${name}`, { x: 0.03, y: 0.03, width: 0.94, height: (high > 1 ? high : 1) - 0.06, rx: 0.08 });
}

/** The name on a cell, where it is of use to somebody who sees it. @param {Scene} scene @param {any} cell @param {Box} box @param {number} high @param {any[]} pieces @param {string} kind */
function caption(scene, cell, box, high, pieces, kind) {
  if (kind === "points" && cell.shape === "point") return s("text.name", { x: 0.5, y: box.up ? high + 0.38 : -0.14 }, nameOf(scene, cell) || cell.label);
  if (kind === "diamond") return s("text.name", { x: 0.5, y: 1.16 }, cell.label);
  if (pieces.length && !(kind === "squares")) return null;
  if (kind === "cross") return cell.kind === "cell" ? null : s("text.name", { x: 0.5, y: 0.6 }, cell.label);
  return kind === "squares" ? s("text.name", { x: 0.05, y: 0.19 }, cell.label) : s("text.name", { x: 0.5, y: 0.58 }, cell.label);
}

/**
 * The men on a cell: in line on a point, otherwise side by side or counted.
 * @param {Scene} scene
 * @param {any[]} pieces
 * @param {any} cell
 * @param {boolean} up
 * @param {number} high
 */
function crowd(scene, pieces, cell, up, high) {
  const alike = new Map();
  for (const piece of pieces) {
    const key = `${piece.side} ${piece.kind}`;
    alike.set(key, { ...piece, count: (alike.get(key)?.count ?? 0) + piece.count });
  }
  return [...alike.values()].flatMap((piece, group) => {
    const line = high > 1 ? Math.min(piece.count, CROWDED) : 1;
    return [...Array(line).keys()].map((n) => {
      const x = high > 1 || alike.size === 1 ? 0.5 : 0.3 + 0.4 * group;
      const y = high > 1 ? (up ? high - 0.46 - n * 0.86 : 0.46 + n * 0.86) : 0.5;
      const count = n === line - 1 && piece.count > line ? piece.count : null;
      return s("g", { transform: `translate(${x} ${y})`, "data-glide": `man ${piece.side} ${cell.id} ${n}`, "data-kind": `man ${piece.side}` },
        man(scene.colourOf(piece.side), piece.kind, alike.size > 1 && high === 1 ? 0.26 : 0.41),
        count && s("text.count", { y: 0.02 }, count));
    });
  });
}

/** @param {Scene} scene @param {any} cell */
export const nameOf = (scene, cell) => (cell.names.length ? cell.names[scene.side ?? 0] || cell.id : cell.id);

/** @param {Scene} scene @param {any} cell @param {any[]} pieces */
function spoken(scene, cell, pieces) {
  const men = pieces.map((one) => `${one.count} ${one.count > 1 ? several(one.kind) : one.kind} of ${scene.sideName(one.side)}`);
  return `${cell.shape === "point" ? nameOf(scene, cell) : cell.label || cell.id}: ${men.join(", ") || "empty"}`;
}

/** @param {string} kind of piece */
const several = (kind) => (kind === "man" ? "men" : `${kind}s`);

// ── Where a man would come to ───────────────────────────────────────────────────────────────────────────────────────

/**
 * The cells that the men of a side come to, in order, from where they wait until they are home.
 * @param {any} board
 * @param {number} side
 * @returns {any[]}
 */
export function wayOf(board, side) {
  const byId = new Map(board.cells.map((/** @type {any} */ cell) => [cell.id, cell]));
  const way = [board.cells.find((/** @type {any} */ cell) => cell.kind === "wait" && cell.home === side)];
  const own = (/** @type {any} */ cell) => (cell.home === side ? 0 : cell.home === null ? 1 : 2);
  while (way[0] && way[way.length - 1].kind !== "home") {
    const next = way[way.length - 1].links.map((/** @type {string} */ id) => byId.get(id))
      .filter((/** @type {any} */ cell) => !way.includes(cell) && (cell.kind === "cell" || cell.home === side))
      .sort((/** @type {any} */ one, /** @type {any} */ other) => own(one) - own(other));
    if (!next.length) break;
    way.push(next[0]);
  }
  return way.filter(Boolean);
}

/**
 * The same choices with the cells that they lead to: a number to be played by a man that is chosen is found there too.
 * @param {any} board
 * @param {any} match
 * @param {Choice[]} choices
 * @param {Record<string, any>} schemas of the commands
 * @returns {Choice[]}
 */
export function withLandings(board, match, choices, schemas) {
  const side = match.sides.findIndex((/** @type {number[]} */ seats) => seats.includes(match.you));
  if (!board || side < 0) return choices;
  return choices.map((choice) => {
    const fields = Object.entries(schemas[choice.type].properties);
    const at = (/** @type {string} */ place) => fields.find(([, field]) => field["x-at"]?.includes(place))?.[0];
    const [start, steps, path] = [at("pieces"), at("numbers"), at("board")];
    if (!start || choice.commands.length > 1 || "fill" in choice.commands[0]) return choice;
    const command = choice.commands[0];
    const cell = steps ? landing(board, match, side, String(command[start]), command[steps])
      : path ? board.cells.find((/** @type {any} */ one) => one.id === String(command[path]?.at?.(-1))) : null;
    if (!cell) return choice;
    const chosen = steps && !choice.told.some(([name]) => name === start);
    const place = { at: "board", value: (cell.names.length && cell.names[side]) || cell.id, thing: "" };
    return { ...choice, to: cell.id, places: chosen ? [...choice.places, place] : choice.places };
  });
}

/** @param {any} board @param {any} match @param {number} side @param {string} from @param {number} steps */
function landing(board, match, side, from, steps) {
  const way = wayOf(board, side);
  const named = match.table.pieces.find((/** @type {any} */ one) => one.side === side && one.name === from)?.cell;
  const start = board.cells.find((/** @type {any} */ cell) => (named ? cell.id === named : (cell.names.length ? cell.names[side] : cell.id) === from));
  const at = start?.kind === "wait" ? 0 : way.indexOf(start);
  return at < 0 ? null : way[Math.min(at + steps, way.length - 1)];
}
