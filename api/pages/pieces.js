/** Cards, dice and men as drawings. Suits differ in letter, shape, color and lightness, so that nobody needs color to tell them. */

import { copied, s } from "./dom.js";

/** @type {Record<string, string>} */
export const SUITS = { C: "C", R: "R", O: "O", W: "W" };

/** The outline of a suit in a box from -10 to 10. @type {Record<string, string>} */
const SHAPES = {
  C: "M0-9.5A9.5 9.5 0 1 1 0 9.5A9.5 9.5 0 1 1 0-9.5Z",
  R: "M0-11L11 0L0 11L-11 0Z",
  O: "M-8.5-8.5H8.5V8.5H-8.5Z",
  W: "M-10-9H10V1L0 11L-10 1Z",
};

/**
 * @param {string} suit
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
const suitMark = (suit, x, y, size) =>
  s("g.suit", { class: `suit-${suit}`, transform: `translate(${x} ${y}) scale(${size / 20})` },
    s("path", { d: SHAPES[suit] }),
    s("text", { x: 0, y: suit === "W" ? -1.2 : 0.4, "font-size": suit === "O" ? 13 : 12 }, suit));

/**
 * A card as the wire writes it: `C-13`, `PRINCE`, `7-3`, or a number.
 * @param {any} value null for one that lies face down
 * @param {boolean} [down] seen by its owner, but not by the others
 */
export function card(value, down = false) {
  const text = value === null ? "" : String(value);
  return copied(`card ${text} ${down}`, () => drawCard(text, down));
}

/** @param {string} text @param {boolean} down */
function drawCard(text, down) {
  const [suit, number] = text.split("-");
  const face = !text ? backFace() : suit in SUITS ? crownFace(suit, number) : /^\d+-\d+$/.test(text) ? trixFace(text)
    : /^\d+$/.test(text) ? numberFace(text) : namedFace(text);
  return s("svg.card", { viewBox: "0 0 50 70", class: `${text ? "" : "back"} ${down ? "down" : ""}`, "aria-hidden": "true" },
    s("rect.paper", { x: 0.75, y: 0.75, width: 48.5, height: 68.5, rx: 5 }), face);
}

const backFace = () => [
  s("rect.weave", { x: 4, y: 4, width: 42, height: 62, rx: 3 }),
  s("path.crown", { d: "M13 44L11 26L19 33L25 22L31 33L39 26L37 44Z" }),
];

/** What tells a card stands on its left, so that cards that overlap can be told too. @param {string} suit @param {string} number */
const crownFace = (suit, number) => [
  s("text.number", { x: 4, y: 17, class: `suit-${suit}` }, number),
  suitMark(suit, 11, 28, 13),
  suitMark(suit, 31, 49, 27),
];

/** Two numbers, the higher first. @param {string} text */
function trixFace(text) {
  const [high, low] = text.split("-");
  return [
    s("text.index", { x: 4, y: 14 }, high),
    s("text.index", { x: 4, y: 27 }, low),
    s("text.high", { x: 32, y: 35 }, high),
    s("path.between", { d: "M20 40.5H44" }),
    s("text.low", { x: 32, y: 62 }, low),
  ];
}

/** @param {string} text */
const numberFace = (text) => [s("text.number", { x: 5, y: 16 }, text), s("text.middle", { x: 25, y: 45 }, text)];

/** PRINCE and PAUPER. @param {string} text */
const namedFace = (text) => [
  s("path.crown", { class: text.toLowerCase(), d: "M13 40L11 22L19 29L25 18L31 29L39 22L37 40Z" }),
  s("text.name", { x: 25, y: 56 }, text),
];

/** The sign of a suit by itself, as in a line of text. @param {string} suit */
export const suitSign = (suit) =>
  s("svg.sign", { viewBox: "-11 -11 22 22", role: "img", "aria-label": suit }, suitMark(suit, 0, 0, 19));

/** The doubling cube. @param {number} value */
export const cube = (value) =>
  s("svg.die.cube", { viewBox: "0 0 40 40", "aria-hidden": "true" },
    s("rect", { x: 1.5, y: 1.5, width: 37, height: 37, rx: 4 }), s("text", { x: 20, y: 21 }, value));

/** What a card is called when it is read out. @param {any} value */
export function cardName(value) {
  if (value === null) return "a card face down";
  const [suit, number] = String(value).split("-");
  if (suit in SUITS) return `${suit} ${number}`;
  return number === undefined ? String(value).toLowerCase() : `${suit} ${number}`;
}

/** @type {Record<number, [number, number][]>} */
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** @param {number | string} value empty before it is thrown */
export function die(value) {
  const face = value in PIPS
    ? PIPS[Number(value)].map(([x, y]) => s("circle", { cx: 20 + 10.5 * x, cy: 20 + 10.5 * y, r: 3.8 }))
    : s("text", { x: 20, y: 21, class: String(value).length > 2 ? "word" : "" }, value);
  return s("svg.die", { viewBox: "0 0 40 40", "aria-hidden": "true" }, s("rect", { x: 1.5, y: 1.5, width: 37, height: 37, rx: 7 }), face);
}

/**
 * A man in the middle of its own coordinates, with a mark of its colour beside it.
 * @param {number} colour
 * @param {string} kind
 * @param {number} r
 */
export function man(colour, kind, r) {
  return s("g.man", { class: `side-${colour % 4}` },
    s("circle", { r }),
    s("circle.rim", { r: r * 0.72 }),
    kind === "king" && s("path.crown", { transform: `scale(${r / 24})`, d: "M-12 10L-14-8L-6-1L0-12L6-1L14-8L12 10Z" }),
    kind === "batter" && s("path.bat", { transform: `scale(${r / 20})`, d: "M-7 9L6-9" }),
    colour % 4 === 2 && s("path.mark", { transform: `scale(${r / 16})`, d: "M0-6L6 4.5H-6Z" }),
    colour % 4 === 3 && s("path.mark", { transform: `scale(${r / 16})`, d: "M-4.5-4.5H4.5V4.5H-4.5Z" }));
}
