/** Elements written as functions, and a page that changes without losing what the reader holds: focus, scroll, opened parts. */

/** @typedef {Node | string | number | null | undefined | false | any[]} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element: `h("button.primary#start", {onclick: start}, "Start")`.
 * @param {string} what
 * @param {Record<string, any> | null} [given]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(what, given, ...children) {
  const wanted = readWhat(what);
  return /** @type {HTMLElement} */ (filled(document.createElement(wanted.name), wanted, given, children));
}

/**
 * The same for drawings.
 * @param {string} what
 * @param {Record<string, any> | null} [given]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s(what, given, ...children) {
  const wanted = readWhat(what);
  return /** @type {SVGElement} */ (filled(document.createElementNS(SVG, wanted.name), wanted, given, children));
}

/** @typedef {{name: string, id: string, classes: string}} What */
/** @type {Map<string, What>} */
const whats = new Map();

/** @param {string} what @returns {What} */
function readWhat(what) {
  const known = whats.get(what);
  if (known) return known;
  const [name, ...marks] = what.split(/(?=[.#])/);
  const id = marks.find((mark) => mark[0] === "#")?.slice(1) ?? "";
  const read = { name, id, classes: marks.filter((mark) => mark[0] === ".").map((mark) => mark.slice(1)).join(" ") };
  whats.set(what, read);
  return read;
}

/**
 * What an element was given is kept beside it: to compare that is many times faster than to ask the document.
 * @param {any} made
 * @param {What} what
 * @param {Record<string, any> | null | undefined} given
 * @param {Child[]} children
 */
function filled(made, { id, classes }, given, children) {
  /** @type {Record<string, string>} */
  const attributes = {};
  if (id) attributes.id = id;
  if (classes) attributes.class = classes;
  for (const name in given) {
    const value = given[name];
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) {
      made[name] = value;
      made.handlers = { ...made.handlers, [name]: value };
    }
    else if (name === "class") attributes.class = `${classes} ${value}`.replace(/ +/g, " ").trim();
    else attributes[name] = value === true ? "" : String(value);
  }
  // What somebody may write over is no attribute; a slider takes it once it knows its ends.
  const { value, ...others } = attributes;
  made.attributed = made.nodeName === "INPUT" ? others : attributes;
  for (const name in made.attributed) made.setAttribute(name, attributes[name]);
  if (made.nodeName === "INPUT" && value !== undefined) made.value = made.written = value;
  append(made, children);
  return made;
}

/**
 * @param {Node} parent
 * @param {Child[]} children
 */
function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * Makes what is there like what should be there, and touches nothing that is so already.
 * Children with a `data-key` are recognised by it, wherever they have moved.
 * @param {any} old
 * @param {any} now
 * @returns {any} what stands there afterwards
 */
export function morph(old, now) {
  // A drawing that says what it shows is the same, or another.
  if (old.shows !== undefined && old.shows === now.shows) return old;
  if (old.shows !== now.shows || old.nodeType !== now.nodeType || old.nodeName !== now.nodeName || keyOf(old) !== keyOf(now)) {
    const made = real(now);
    old.replaceWith(made);
    return made;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== now.data) old.data = now.data;
    return old;
  }
  // What the reader has opened or shut stays so: that was never given.
  const [was, is] = [attributesOf(old), attributesOf(now)];
  for (const name in was) if (!(name in is)) old.removeAttribute(name);
  for (const name in is) if (was[name] !== is[name]) old.setAttribute(name, is[name]);
  old.attributed = is;
  for (const name in old.handlers) if (!now.handlers?.[name]) old[name] = null;
  for (const name in now.handlers) old[name] = now.handlers[name];
  old.handlers = now.handlers;
  if (now.written !== undefined && old !== document.activeElement && old.value !== now.value) old.value = now.value;
  if (!("data-own" in is)) children(old, now);
  return old;
}

/** @param {any} element @returns {Record<string, string>} */
const attributesOf = (element) => element.attributed ?? Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));

/**
 * @param {any} old
 * @param {any} now
 */
function children(old, now) {
  const keyed = new Map();
  for (let one = old.firstChild; one; one = one.nextSibling) if (keyOf(one)) keyed.set(keyOf(one), one);
  let place = old.firstChild;
  for (let wanted = now.firstChild, next; wanted; wanted = next) {
    next = wanted.nextSibling; // before it is moved
    const key = keyOf(wanted);
    const known = key ? keyed.get(key) : place && !keyOf(place) ? place : null;
    if (!known) {
      old.insertBefore(real(wanted), place);
      continue;
    }
    if (known === place) place = place.nextSibling;
    else old.insertBefore(known, place);
    morph(known, wanted);
    if (key) keyed.delete(key);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** @type {Map<string, any>} */
const patterns = new Map();

/**
 * A drawing that is made once and copied, since a table holds many that are alike. Most of them stand there already: only
 * a place is kept for it, until it is put into the page.
 * @param {string} shows what it shows, which nothing else does that looks otherwise
 * @param {() => Element} make
 * @returns {Node}
 */
export function copied(shows, make) {
  const pattern = patterns.get(shows) ?? make();
  patterns.set(shows, pattern);
  return Object.assign(document.createComment(""), { shows, pattern, attributed: pattern.attributed });
}

/** With drawings where places were kept for them. @param {any} node @returns {any} */
function real(node) {
  if (node.pattern) return Object.assign(node.pattern.cloneNode(true), { shows: node.shows, attributed: node.attributed });
  const kept = document.createTreeWalker(node, NodeFilter.SHOW_COMMENT);
  for (let place = kept.nextNode(), next; place; place = next) {
    next = kept.nextNode();
    if (/** @type {any} */ (place).pattern) place.parentNode?.replaceChild(real(place), place);
  }
  return node;
}

/** @param {any} node */
const keyOf = (node) => (node.attributed ? (node.attributed["data-key"] ?? null) : node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("data-key") : null);

/**
 * Shows something in place of what a parent holds.
 * @param {Element} parent
 * @param {...Child} shown
 */
export function show(parent, ...shown) {
  const wanted = /** @type {Element} */ (parent.cloneNode(false));
  append(wanted, shown);
  children(parent, wanted);
}

const QUIET = window.matchMedia("(prefers-reduced-motion: reduce)");
const GLIDE = 220; // milliseconds

/**
 * Changes the page, and lets what has moved glide from where it was. Nothing waits for it.
 *
 * `data-glide` names a thing; one that is new comes from the place that a thing of the same `data-kind` has left, or from
 * what `data-from` names by its key.
 * @param {Element} within
 * @param {() => void} change
 */
export function gliding(within, change) {
  if (QUIET.matches) return change();
  const before = placesOf(within);
  change();
  const after = [...within.querySelectorAll("[data-glide]")];
  const there = new Set(after.map((one) => one.getAttribute("data-glide")));
  const left = [...before.values()].filter((one) => !there.has(one.name));
  /** @type {[Element, Keyframe[]][]} */
  const moved = [];
  for (const one of after) {
    const kind = one.getAttribute("data-kind");
    const known = before.get(one.getAttribute("data-glide") ?? "");
    const place = known ? -1 : left.findIndex((gone) => kind !== null && gone.kind === kind);
    const from = known?.box ?? (place >= 0 ? left.splice(place, 1)[0].box : origin(within, one));
    const way = from && wayFrom(one, from);
    if (way) moved.push([one, way]);
  }
  // Where things stand is read before the first of them moves: to ask in between would lay the page out for each.
  for (const [one, way] of moved) one.animate(way, { duration: GLIDE, easing: "ease-out" });
}

/** @param {Element} within */
function placesOf(within) {
  /** @type {Map<string, {name: string, kind: string | null, box: DOMRect}>} */
  const found = new Map();
  for (const one of within.querySelectorAll("[data-glide]")) {
    const name = /** @type {string} */ (one.getAttribute("data-glide"));
    found.set(name, { name, kind: one.getAttribute("data-kind"), box: one.getBoundingClientRect() });
  }
  return found;
}

/** @param {Element} within @param {Element} one */
function origin(within, one) {
  const from = one.getAttribute("data-from");
  return from === null ? null : (within.querySelector(`[data-key="${from}"]`)?.getBoundingClientRect() ?? null);
}

/** @param {Element} one @param {DOMRect} from @returns {Keyframe[] | null} */
function wayFrom(one, from) {
  const to = one.getBoundingClientRect();
  if (!to.width || !from.width) return null;
  const [x, y] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
  if (Math.abs(x) + Math.abs(y) < 4) return null;
  // Inside a drawing a pixel is a unit of the drawing, which may be turned.
  const drawn = one instanceof SVGGraphicsElement ? (/** @type {any} */ (one.parentNode)).getScreenCTM()?.inverse() : null;
  const { a, b, c, d } = drawn ?? { a: 1, b: 0, c: 0, d: 1 };
  return [{ translate: `${a * x + c * y}px ${b * x + d * y}px` }, { translate: "0 0" }];
}

/**
 * @param {string} name as in data: `hand_counts`
 * @returns {string} as in a sentence
 */
export const inWords = (name) => name.replace(/[_.]/g, " ");

/** A text in which `code` stands between such strokes. @param {string} text @returns {Child[]} */
export const withCode = (text) => text.split("`").map((part, n) => (n % 2 ? h("code", null, part) : part));
