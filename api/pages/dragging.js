/** What can be chosen by a click can also be taken and carried to where it shall go. */

const NEAR = 6; // pixels that a hand trembles

/**
 * @typedef {object} Held
 * @property {Element} thing
 * @property {boolean} more whether more is to be chosen after it
 * @property {string | null} to the only cell that it can go to
 * @property {number} x
 * @property {number} y
 * @property {HTMLElement | null} ghost what follows the pointer
 */

/** @param {HTMLElement} root @returns {() => void} what ends it */
export function dragging(root) {
  /** @type {Held | null} */
  let held = null;

  /** @param {PointerEvent} down */
  const take = (down) => {
    const thing = /** @type {Element} */ (down.target).closest(".table .thing.can, .table .cell.can");
    // A finger on a card may want to scroll: cards are tapped, men can be carried.
    if (!thing || down.button || (down.pointerType === "touch" && !thing.matches(".cell"))) return;
    held = { thing, more: thing.hasAttribute("data-more"), to: thing.getAttribute("data-to"), x: down.clientX, y: down.clientY, ghost: null };
  };

  /** @param {PointerEvent} moved */
  const carry = (moved) => {
    if (!held) return;
    if (!held.ghost) {
      if (Math.hypot(moved.clientX - held.x, moved.clientY - held.y) < NEAR) return;
      held.ghost = ghostOf(held.thing);
      // With more to choose after it, the places where it can go light up while it is carried.
      if (held.more) press(held.thing);
    }
    held.ghost.style.translate = `${moved.clientX}px ${moved.clientY}px`;
  };

  /** @param {PointerEvent} up */
  const drop = (up) => {
    if (!held?.ghost) return void (held = null);
    const { thing, more, to, ghost } = held;
    held = null;
    ghost.remove();
    swallowClick();
    const under = document.elementFromPoint(up.clientX, up.clientY);
    if (!under || up.type === "pointercancel" || thing.contains(under)) return;
    if (more) press(under.closest("[data-can]"));
    else if (thing.matches(".cell") ? !to || under.closest(`[data-key="cell-${to}"]`) : !under.closest(".held")) press(thing);
  };

  // Who carries a card over the table selects no text, and what was selected before is not carried in its place.
  const only = (/** @type {Event} */ begun) => { if (held) begun.preventDefault(); };

  root.addEventListener("pointerdown", take);
  root.addEventListener("selectstart", only);
  root.addEventListener("dragstart", only);
  window.addEventListener("pointermove", carry);
  window.addEventListener("pointerup", drop);
  window.addEventListener("pointercancel", drop);
  return () => {
    root.removeEventListener("pointerdown", take);
    root.removeEventListener("selectstart", only);
    root.removeEventListener("dragstart", only);
    window.removeEventListener("pointermove", carry);
    window.removeEventListener("pointerup", drop);
    window.removeEventListener("pointercancel", drop);
  };
}

/** @param {Element | null} one */
const press = (one) => one?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));

/** The browser calls the end of a drag a click; nobody has clicked. */
function swallowClick() {
  const swallow = (/** @type {Event} */ click) => { if (click.isTrusted) click.stopPropagation(); };
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
}

/** @param {Element} thing */
function ghostOf(thing) {
  const made = document.createElement("div");
  made.className = "ghost";
  made.setAttribute("aria-hidden", "true");
  const shown = thing.matches(".cell") ? [...thing.querySelectorAll(".man")].pop() : thing.querySelector("svg");
  const size = shown?.getBoundingClientRect();
  if (shown && size) {
    made.style.width = `${size.width}px`;
    if (shown.nodeName === "svg") made.append(shown.cloneNode(true));
    else {
      const box = /** @type {SVGGraphicsElement} */ (shown).getBBox();
      const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      drawing.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
      drawing.setAttribute("class", "board");
      drawing.append(shown.cloneNode(true));
      made.append(drawing);
    }
  }
  document.body.append(made);
  return made;
}
