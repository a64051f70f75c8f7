/**
 * The legal commands as choices: a kind of command first, then its fields one after another, until one command is left.
 * Where there is only one value, nobody is asked.
 */

/** @typedef {Record<string, any>} Command */
/** @typedef {{at: string, value: string | null, thing: string}} Place */
/**
 * @typedef {object} Choice
 * @property {string} type
 * @property {[string, any][]} told the fields that it settles
 * @property {Place[]} places where on the table it is found
 * @property {Command[]} commands those that are left after it
 * @property {Set<string>} settled
 * @property {boolean} aside whether it stands beside the play
 * @property {string} [to] the cell of the board that it leads to
 */

/**
 * @param {Command[]} legal
 * @param {Record<string, any>} schemas of the commands, by type
 * @returns {Choice[]}
 */
export function firstChoices(legal, schemas) {
  // Where a command can be sent as it stands, nobody is asked to fill in blanks of the same kind.
  const plain = new Set(legal.filter((command) => !("fill" in command)).map((command) => command.type));
  const groups = grouped(legal.filter((command) => !("fill" in command && plain.has(command.type))), (command) => command.type);
  return [...groups.values()].flatMap((commands) => {
    const schema = schemas[commands[0].type];
    return split(commands, schema, new Set()).map((one) => ({ ...one, aside: Boolean(schema["x-aside"]) }));
  });
}

/**
 * @param {Choice} chosen
 * @param {Record<string, any>} schemas
 */
export const nextChoices = (chosen, schemas) => split(chosen.commands, schemas[chosen.type], chosen.settled);

/** What to send, if nothing is left to choose. @param {Choice} choice */
export const commandOf = (choice) =>
  choice.commands.length === 1 && !("fill" in choice.commands[0]) ? choice.commands[0] : null;

/** A command that has yet to be filled in. @param {Choice} choice */
export const templateOf = (choice) => ("fill" in choice.commands[0] ? choice.commands[0] : null);

/**
 * What was chosen, among what is offered by now; it settles the same.
 * @param {Choice} chosen
 * @param {Choice[]} offered
 */
export const stillOffered = (chosen, offered) => offered.find((one) =>
  one.type === chosen.type && [...chosen.settled].every((name) => one.settled.has(name) && written(one.commands[0], name) === written(chosen.commands[0], name))) ?? null;

/**
 * A legal command without what the list says beside it.
 * @param {Command} command
 * @param {any} schema
 */
export const asSent = (command, schema) =>
  Object.fromEntries(Object.entries(command).filter(([name]) => name in schema.properties));

/**
 * A choice for each value of the first field in which the commands differ.
 * @param {Command[]} commands
 * @param {any} schema
 * @param {Set<string>} settled
 * @returns {Choice[]}
 */
function split(commands, schema, settled) {
  const fields = fieldsOf(schema);
  const alike = (/** @type {string} */ name) => new Set(commands.map((one) => written(one, name))).size === 1;
  const field = fields.find((name) => !alike(name));
  if (field === undefined) return [choice(commands, schema, settled)];
  const same = new Set([...settled, ...fields.filter(alike)]);
  return [...grouped(commands, (one) => written(one, field)).values()].map((group) => choice(group, schema, same));
}

/**
 * @param {Command[]} commands
 * @param {any} schema
 * @param {Set<string>} settled
 * @returns {Choice}
 */
function choice(commands, schema, settled) {
  const agreed = fieldsOf(schema).filter((name) => new Set(commands.map((one) => written(one, name))).size === 1);
  const fresh = agreed.filter((name) => !settled.has(name) && name in commands[0]);
  /** @type {[string, any][]} */
  const told = fresh.map((name) => [name, commands[0][name]]);
  /** @type {Place[]} */
  const places = (schema["x-at"] ?? []).map((/** @type {string} */ at) => ({ at, value: null, thing: "" }));
  for (const [name, value] of told.slice(0, 1)) {
    const field = schema.properties[name];
    const spot = spotOf(value);
    if (spot === null) continue;
    for (const at of field["x-at"] ?? []) places.push({ at, value: spot, thing: field["x-is"] ?? "" });
  }
  return { type: commands[0].type, told, places, commands, settled: new Set([...settled, ...agreed]), aside: false };
}

/** The one thing that a value points at: of a way over the board its end, of several cards none in particular. @param {any} value */
function spotOf(value) {
  if (!Array.isArray(value)) return value === null ? null : String(value);
  const last = value[value.length - 1];
  return value.length && (value.length === 1 || Number.isInteger(last)) ? String(last) : null;
}

/** @param {any} schema */
const fieldsOf = (schema) => Object.keys(schema.properties).filter((name) => name !== "type");

/** @param {Command} command @param {string} name */
const written = (command, name) => JSON.stringify(command[name] ?? null);

/**
 * @template T
 * @param {T[]} all
 * @param {(one: T) => string} by
 * @returns {Map<string, T[]>}
 */
function grouped(all, by) {
  const found = new Map();
  for (const one of all) found.set(by(one), [...(found.get(by(one)) ?? []), one]);
  return found;
}
