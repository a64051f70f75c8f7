/** Reading JSON Schemas: which parts a view has. The words are those of docs/views.md. */

/** @typedef {Record<string, any>} Schema */
/** @typedef {{path: (string | number)[], name: string, value: any, schema: Schema, kind: string, owner: string, within: any}} Part */

/**
 * The parts of a view in its own order; what lies inside a part belongs to it. Fields that are wanted by name are taken
 * for words beside the table if nothing is said of them.
 * @param {Schema} given
 * @param {any} value
 * @param {Set<string>} wanted
 * @param {(string | number)[]} [path]
 * @param {any} [within]
 * @returns {Part[]}
 */
export function partsOf(given, value, wanted, path = [], within = {}) {
  let schema = fitting(given, value);
  const name = path.filter((step) => typeof step === "string").join(".");
  if (!schema["x-part"] && path.length && wanted.has(name) && (value === null || typeof value !== "object")) schema = { ...schema, "x-part": { kind: "mark" } };
  if (schema["x-part"]) {
    const { kind, owner = "table" } = schema["x-part"];
    return [{ path, name, value, schema, kind, owner, within: { value: within.value, schema: within.schema } }];
  }
  if (Array.isArray(value)) {
    return value.flatMap((one, place) => partsOf(itemOf(schema, place), one, wanted, [...path, place], within));
  }
  if (value === null || typeof value !== "object") return [];
  const around = { value, schema };
  return Object.entries(schema.properties ?? {}).flatMap(([field, inner]) =>
    field in value ? partsOf(inner, value[field], wanted, [...path, field], around) : [],
  );
}

/**
 * @param {Schema} schema
 * @param {number} place
 * @returns {Schema}
 */
export const itemOf = (schema, place) => schema.prefixItems?.[place] ?? schema.items ?? {};

/**
 * Of several alternatives the one that the value is, together with what is said of all of them.
 * @param {Schema} schema
 * @param {any} value
 * @returns {Schema}
 */
export function fitting(schema, value) {
  for (const alternative of schema.anyOf ?? []) {
    if (isLike(alternative, value)) {
      const { anyOf, ...said } = schema;
      return fitting({ ...alternative, ...said }, value);
    }
  }
  return schema;
}

/** @type {Record<string, (value: any) => boolean>} */
const TYPES = {
  string: (value) => typeof value === "string",
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  array: (value) => Array.isArray(value),
  object: (value) => value !== null && typeof value === "object" && !Array.isArray(value),
  null: (value) => value === null,
};

/**
 * @param {Schema} schema
 * @param {any} value
 * @returns {boolean}
 */
function isLike(schema, value) {
  if (schema.anyOf) return schema.anyOf.some((/** @type {Schema} */ one) => isLike(one, value));
  if (schema.enum) return schema.enum.includes(value);
  const wanted = [schema.type ?? []].flat();
  if (wanted.length && !wanted.some((name) => TYPES[name](value))) return false;
  return !TYPES.object(value) || (schema.required ?? []).every((/** @type {string} */ name) => name in value);
}
