/** A board as a drawing, from the geometry that the server gives: cells with coordinates, shapes and names. */

import { s } from "./dom.js";
import { man } from "./pieces.js";

/** @typedef {import("./scene.js").Scene} Scene */

const TALL = 4.6; // a point is so many times as long as it is wide
const CROWDED = 5; // men that lie in line before they are counted

/**
 * @param {Scene} scene
 * @param {any[]} pieces
 * @param {string} at the name of the part
 */
export function drawBoard(scene, pieces, at) {
  const board = scene.board;
  const points = board.cells.some((/** @type {any} */ cell) => cell.shape === "point");
  const high = points ? TALL : 1;
  const turned = scene.side === 1 && scene.match.sides.length === 2 && (points || board.cells.length === 32);
  /** @param {any} cell */
  const box = (cell) => {
    const x = turned && !points ? board.width - 1 - cell.x : cell.x;
    const y = turned ? board.height - 1 - cell.y : cell.y;
    return { x, y: y * (high + (points ? 0.6 : 0)), up: points && (cell.y === 1) !== turned };
  };
  const width = board.width;
  const height = board.height * high + (points ? 0.6 : 0);
  const margin = points ? 0.5 : 0.15; // the numbers of the points stand on the rim
  const standing = new Map();
  for (const piece of pieces) standing.set(piece.cell, [...(standing.get(piece.cell) ?? []), piece]);
  const kind = points ? "points" : board.cells.length === 32 ? "squares" : board.cells.length < 6 ? "diamond" : "cross";
  return s("svg.board", { class: kind, viewBox: `-0.15 ${-margin} ${width + 0.3} ${height + 2 * margin}`, role: "group", "aria-label": "board" },
    s("rect.ground", { x: -0.15, y: -margin, width: width + 0.3, height: height + 2 * margin, rx: 0.2 }),
    kind === "squares" && lightSquares(board),
    kind === "diamond" && s("path.way", { d: ways(board, box) }),
    board.cells.map((/** @type {any} */ cell) => drawCell(scene, cell, box(cell), high, standing.get(cell.id) ?? [], at)));
}

/** @param {any} board */
const lightSquares = (board) =>
  s("path.light", { d: [...Array(64).keys()].filter((n) => (n + (n >> 3)) % 2 === 0).map((n) => `M${n % 8} ${n >> 3}h1v1h-1z`).join("") });

/** @param {any} board @param {(cell: any) => {x: number, y: number}} box */
const ways = (board, box) =>
  `M${board.cells.map((/** @type {any} */ cell) => `${box(cell).x + 0.5} ${box(cell).y + 0.5}`).join("L")}Z`;

/**
 * @param {Scene} scene
 * @param {any} cell
 * @param {{x: number, y: number, up: boolean}} box
 * @param {number} high
 * @param {any[]} pieces
 * @param {string} at
 */
function drawCell(scene, cell, box, high, pieces, at) {
  const called = nameOf(scene, cell);
  // A command names the cell, or the piece on it where pieces have names of their own.
  const spots = [called, ...pieces.filter((one) => one.side === scene.side && one.name !== undefined).map((one) => one.name)];
  const offered = [...new Set([...spots.flatMap((spot) => scene.at(at, spot)), ...scene.at("board", called)])];
  const label = spoken(scene, cell, pieces);
  const act = scene.act(offered, label);
  const chosen = scene.isChosen(at, called) || pieces.some((one) => one.name !== undefined && one.side === scene.side && scene.isChosen(at, one.name));
  return s("g.cell", {
      ...act, "data-key": `cell-${cell.id}`, class: `${cell.kind} ${cell.shape} ${offered.length ? "can" : ""} ${chosen ? "chosen" : ""} ${cell.home === null ? "" : `home-${cell.home % 4}`}`,
      transform: `translate(${box.x} ${box.y})`, ...(offered.length ? {} : { role: "img", "aria-label": label }),
    },
    shape(cell, box.up, high),
    (cell.kind === "cell" ? cell.shape !== "circle" || !pieces.length : !pieces.length) && s("text.name", { x: 0.5, y: cell.shape === "point" ? (box.up ? high + 0.36 : -0.14) : 0.58 }, cell.label),
    crowd(pieces, cell, box.up, high));
}

/** @param {any} cell @param {boolean} up @param {number} high */
function shape(cell, up, high) {
  if (cell.shape === "point") return s("path.ground", { class: cell.x % 2 === cell.y % 2 ? "dark" : "pale", d: up ? `M0 ${high}H1L0.5 0.25Z` : `M0 0H1L0.5 ${high - 0.25}Z` });
  if (cell.shape === "circle") return s("circle.ground", { cx: 0.5, cy: 0.5, r: 0.47 });
  return s("rect.ground", { x: 0.03, y: 0.03, width: 0.94, height: (high > 1 ? high : 1) - 0.06, rx: 0.08 });
}

/**
 * The men on a cell: in line on a point, otherwise side by side or counted.
 * @param {any[]} pieces
 * @param {any} cell
 * @param {boolean} up
 * @param {number} high
 */
function crowd(pieces, cell, up, high) {
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
      return s("g", { transform: `translate(${x} ${y})`, "data-glide": `man ${piece.side} ${cell.id} ${n}` },
        man(piece.side, piece.kind, alike.size > 1 && high === 1 ? 0.26 : 0.41),
        count && s("text.count", { y: 0.02 }, count));
    });
  });
}

/** @param {Scene} scene @param {any} cell */
export const nameOf = (scene, cell) => (cell.names.length ? cell.names[scene.side ?? 0] || cell.id : cell.id);

/** @param {Scene} scene @param {any} cell @param {any[]} pieces */
function spoken(scene, cell, pieces) {
  const men = pieces.map((one) => `${one.count} ${one.kind}${one.count > 1 ? "s" : ""} of ${scene.sideName(one.side)}`);
  return `${cell.label || cell.id}: ${men.join(", ") || "empty"}`;
}
