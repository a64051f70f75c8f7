/** Elements written as functions, and a page that changes without losing what the reader holds: focus, scroll, opened parts. */

/** @typedef {Node | string | number | null | undefined | false | any[]} Child */

const SVG = "http://www.w3.org/2000/svg";
const HANDLERS = ["onclick", "onkeydown", "onpointerdown", "oninput", "onchange", "onsubmit", "ontoggle"];

/**
 * An element: `h("button.primary#start", {onclick: start}, "Start")`.
 * @param {string} what
 * @param {Record<string, any> | null} [given]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(what, given, ...children) {
  const [name, ...marks] = what.split(/(?=[.#])/);
  return /** @type {HTMLElement} */ (filled(document.createElement(name), marks, given, children));
}

/**
 * The same for drawings.
 * @param {string} what
 * @param {Record<string, any> | null} [given]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s(what, given, ...children) {
  const [name, ...marks] = what.split(/(?=[.#])/);
  return /** @type {SVGElement} */ (filled(document.createElementNS(SVG, name), marks, given, children));
}

/**
 * @param {any} made
 * @param {string[]} marks
 * @param {Record<string, any> | null | undefined} given
 * @param {Child[]} children
 */
function filled(made, marks, given, children) {
  for (const mark of marks) {
    if (mark[0] === "#") made.id = mark.slice(1);
    else made.classList.add(mark.slice(1));
  }
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) {
      made[name] = value;
      made.handles = true;
    }
    else if (name === "class") for (const one of value.split(" ").filter(Boolean)) made.classList.add(one);
    else if (name === "value" && "value" in made) made.value = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
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
  if (old.nodeType !== now.nodeType || old.nodeName !== now.nodeName || keyOf(old) !== keyOf(now)) {
    old.replaceWith(now);
    return now;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== now.data) old.data = now.data;
    return old;
  }
  // A drawing that says what it shows need not be looked at.
  if (old.shows !== undefined && old.shows === now.shows) return old;
  old.shows = now.shows;
  for (let n = old.attributes.length - 1; n >= 0; n -= 1) {
    const { name } = old.attributes[n];
    // What the reader has opened stays open.
    if (!now.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) old.removeAttribute(name);
  }
  for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.handles || now.handles) for (const name of HANDLERS) if (old[name] !== now[name]) old[name] = now[name];
  old.handles = now.handles;
  if (old.nodeName === "INPUT" && old !== document.activeElement && old.value !== now.value) old.value = now.value;
  if (!old.hasAttribute("data-own")) children(old, now);
  return old;
}

/**
 * @param {any} old
 * @param {any} now
 */
function children(old, now) {
  const keyed = new Map([...old.childNodes].filter(keyOf).map((one) => [keyOf(one), one]));
  let place = old.firstChild;
  for (const wanted of [...now.childNodes]) {
    const key = keyOf(wanted);
    const known = key ? keyed.get(key) : place && !keyOf(place) ? place : null;
    if (!known) {
      old.insertBefore(wanted, place);
      continue;
    }
    if (known === place) place = place.nextSibling;
    else old.insertBefore(known, place);
    const kept = morph(known, wanted);
    if (key) keyed.delete(key);
    if (kept !== known && place === known) place = kept.nextSibling;
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** @type {Map<string, Element>} */
const patterns = new Map();

/**
 * A drawing that is made once and copied, since a table holds many that are alike.
 * @param {string} shows what it shows, which nothing else does that looks otherwise
 * @param {() => Element} make
 * @returns {SVGElement}
 */
export function copied(shows, make) {
  const first = patterns.get(shows) ?? make();
  patterns.set(shows, first);
  const copy = /** @type {any} */ (first.cloneNode(true));
  copy.shows = shows;
  return copy;
}

/** @param {any} node */
const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("data-key") : null);

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
  for (const one of after) {
    const kind = one.getAttribute("data-kind");
    const known = before.get(one.getAttribute("data-glide") ?? "");
    const place = known ? -1 : left.findIndex((gone) => kind !== null && gone.kind === kind);
    const from = known?.box ?? (place >= 0 ? left.splice(place, 1)[0].box : origin(within, one));
    if (from) glide(one, from);
  }
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

/** @param {Element} one @param {DOMRect} from */
function glide(one, from) {
  const to = one.getBoundingClientRect();
  if (!to.width || !from.width) return;
  const [x, y] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
  if (Math.abs(x) + Math.abs(y) < 4) return;
  // Inside a drawing a pixel is a unit of the drawing.
  const unit = one instanceof SVGGraphicsElement ? ((/** @type {any} */ (one.parentNode)).getScreenCTM()?.a ?? 1) : 1;
  one.animate([{ translate: `${x / unit}px ${y / unit}px` }, { translate: "0 0" }], { duration: GLIDE, easing: "ease-out" });
}

/**
 * @param {string} name as in data: `hand_counts`
 * @returns {string} as in a sentence
 */
export const inWords = (name) => name.replace(/[_.]/g, " ");

/** A text in which `code` stands between such strokes. @param {string} text @returns {Child[]} */
export const withCode = (text) => text.split("`").map((part, n) => (n % 2 ? h("code", null, part) : part));
