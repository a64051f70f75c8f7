/** Values of views in words, or with the signs that a table has for them. */

import { h, inWords } from "./dom.js";
import { valueFor } from "./labels.js";
import { SUITS, card, cardName, suitSign } from "./pieces.js";
import { fitting, itemOf } from "./schemas.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./dom.js").Child} Child */

/**
 * @param {Scene} scene
 * @param {any} value
 * @param {any} given its schema
 * @param {string} [name] of the field
 * @returns {string}
 */
export function writeValue(scene, value, given, name = "") {
  const schema = fitting(given ?? {}, value);
  if (value === null || value === undefined) return "none";
  if (value === true || value === false) return value ? "yes" : "no";
  if (schema["x-is"] === "seat") return scene.name(value);
  if (Array.isArray(value)) return value.map((one, place) => writeValue(scene, one, itemOf(schema, place), name)).join(", ") || "none";
  if (typeof value === "object") {
    return Object.entries(value).filter(([, one]) => one !== null && one !== false)
      .map(([field, one]) => `${inWords(field)} ${writeValue(scene, one, schema.properties?.[field], field)}`).join(", ");
  }
  if (valueFor(name, value) !== null) return /** @type {string} */ (valueFor(name, value));
  if (schema["x-piece"] === "card" || schema["x-piece"] === "trix_card") return cardName(value);
  return typeof value === "string" && !(value in SUITS) ? inWords(value) : String(value);
}

/**
 * The same with suits and cards as they look.
 * @param {Scene} scene
 * @param {any} value
 * @param {any} given
 * @param {string} [name]
 * @returns {Child}
 */
export function drawValue(scene, value, given, name = "") {
  const schema = fitting(given ?? {}, value);
  if (typeof value === "string" && value in SUITS) return suitSign(value);
  if (value !== null && /card$/.test(schema["x-piece"] ?? "")) return h("span.in-line", { role: "img", "aria-label": cardName(value) }, card(value));
  if (Array.isArray(value) && value.length && /card$/.test(itemOf(schema, 0)["x-piece"] ?? "")) {
    return value.map((one, place) => drawValue(scene, one, itemOf(schema, place), name));
  }
  return writeValue(scene, value, schema, name);
}

/** Whether a value is a seat, or a list of them. @param {any} value @param {any} given */
export function seatsIn(value, given) {
  const schema = fitting(given ?? {}, value);
  if (Number.isInteger(value) && schema["x-is"] === "seat") return [value];
  if (Array.isArray(value) && value.length && itemOf(schema, 0)["x-is"] === "seat") return value;
  return null;
}
