/**
 * Verifies a match without trusting whoever gave it: the hash chain, the secret parts, the seed, every draw and every deal.
 * It shares no code with the server, needs no package, and runs in a browser and in Node:
 *
 *     node verify.js match.ndjson
 *
 * Whether the players' commands follow the rules is for `parlor verify`.
 */

import { deals } from "./deals.js";
import { Stream, canBeDrawn, drawn, hmac, keyOf } from "./draws.js";
import { canonical, parse } from "./exact.js";

const LONGEST = 1 << 20; // bytes of a line
const FIELDS = ["actor", "at", "command_id", "hash", "public", "schema", "secret", "type", "version"];
const OF_THE_MATCH = ["match", "game", "rules_version", "match_rules", "options", "seed_commitment"];
const HEADER = ["format", "format_version", ...OF_THE_MATCH, "rules_fingerprint", "seats"];
const SEAT = ["kind", "player", "level", "name"];
const FOOTER = ["head", "server_seed", "signatures", "version"];
const KINDS = ["format", "chain", "commitments", "seed", "salts", "draws", "deals"];
const HASH = /^[0-9a-f]{64}$/;
const INSTANT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const AUDIENCE = /^(table|\d+(\+\d+)*)$/;

/** Something does not fit. `version` is that of the first event that is wrong, 0 for the file as a whole. */
export class Wrong extends Error {
  /** @param {string} kind @param {number} version @param {string} text */
  constructor(kind, version, text) {
    super(version ? `version ${version}: ${text}` : text);
    this.kind = kind;
    this.version = version;
  }
}

// ── Hashes ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const encoder = new TextEncoder();

/** @param {string} text */
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {ArrayBuffer | Uint8Array} bytes */
const toHex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {Uint8Array} first @param {string} then */
async function sha256(first, then) {
  const rest = encoder.encode(then);
  const all = new Uint8Array(first.length + rest.length);
  all.set(first);
  all.set(rest, first.length);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", all));
}

// ── Lines ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Line by line, so that a file may be as long as it likes. @param {Blob} file */
async function* lines(file) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let [number, size] = [0, 0];
  /** @type {Uint8Array[]} */
  let parts = [];
  const add = (/** @type {Uint8Array} */ part) => {
    parts.push(part);
    size += part.length;
    if (size >= LONGEST) throw new Wrong("format", 0, `line ${number + 1} has more than ${LONGEST} bytes`);
  };
  const line = () => {
    number += 1;
    const whole = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    [parts, size] = [[], 0];
    try {
      return { number, text: decoder.decode(whole) };
    } catch {
      throw new Wrong("format", 0, `line ${number} is not UTF-8`);
    }
  };
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    let from = 0;
    for (let at = value.indexOf(10); at >= 0; at = value.indexOf(10, from)) {
      add(value.subarray(from, at));
      yield line();
      from = at + 1;
    }
    add(value.subarray(from));
  }
  if (size) yield line();
}

/** @param {string} text @param {number} number @returns {Map<string, any>} */
function read(text, number) {
  let found;
  try {
    found = parse(text);
  } catch (error) {
    throw new Wrong("format", 0, `line ${number} is not JSON: ${/** @type {Error} */ (error).message}`);
  }
  if (!(found instanceof Map)) throw new Wrong("format", 0, `line ${number} is not an object`);
  return found;
}

/** The seed, from the end of the match if the log has it: every salt comes from it. @param {Blob} file */
async function revealed(file) {
  const end = new TextDecoder().decode(await file.slice(Math.max(0, file.size - 3 * LONGEST)).arrayBuffer());
  for (const text of end.trimEnd().split("\n").slice(-2)) {
    if (!text.includes('"match_ended"')) continue;
    try {
      const seed = /** @type {any} */ (read(text, 0)).get("public").get("server_seed");
      if (isHash(seed)) return String(seed);
    } catch {
      continue;
    }
  }
  return null;
}

/** @param {unknown} value @param {string[]} names */
const hasOnly = (value, names) => value instanceof Map && value.size === names.length && names.every((name) => value.has(name));

/** @param {unknown} value */
const isHash = (value) => typeof value === "string" && HASH.test(value);

/** Whether there was such an instant: no 30th of February. @param {unknown} at */
function isInstant(at) {
  if (typeof at !== "string" || !INSTANT.test(at)) return false;
  const seconds = at.slice(0, 19);
  const found = new Date(`${seconds}Z`);
  return !Number.isNaN(found.getTime()) && found.toISOString().startsWith(seconds);
}

// ── The whole match ─────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * @typedef {object} Report
 * @property {string} match
 * @property {string} game
 * @property {number} version
 * @property {string} head
 * @property {Record<string, {ok: number, unchecked: Record<string, number>}>} checks
 * @property {Wrong | null} wrong
 */

/**
 * @param {Blob} file the log or the bundle as NDJSON
 * @param {(done: number) => void} [progress]
 * @returns {Promise<Report>}
 */
export async function verify(file, progress = () => {}) {
  /** @type {Report} */
  const report = { match: "", game: "", version: 0, head: "", checks: Object.fromEntries(KINDS.map((kind) => [kind, { ok: 0, unchecked: {} }])), wrong: null };
  try {
    await new Verifier(report).run(file, progress);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    report.wrong = error;
  }
  return report;
}

class Verifier {
  /** @param {Report} report */
  constructor(report) {
    this.report = report;
    this.previous = new Uint8Array(32);
    this.version = 0;
    /** @type {CryptoKey | null} */
    this.key = null;
    this.seed = "";
    /** @type {string[]} */
    this.clientSeeds = [];
    /** @type {any[]} who has each seat, or for whom it is kept */
    this.players = [];
    this.draws = 0;
    this.schema = 1;
    this.broken = false; // the seed is not the one that was promised
    /** @type {Map<string, any>} */
    this.opened = new Map();
    /** @type {Map<string, any> | null} */
    this.header = null;
    /** @type {Map<string, any> | null} */
    this.footer = null;
    /** @type {ReturnType<typeof deals>} */
    this.deals = () => undefined;
    this.started = false;
    this.ended = false;
  }

  /** @param {string} kind */
  ok(kind) {
    this.report.checks[kind].ok += 1;
  }

  /** @param {string} kind @param {string} reason */
  notChecked(kind, reason) {
    const { unchecked } = this.report.checks[kind];
    unchecked[reason] = (unchecked[reason] ?? 0) + 1;
  }

  /** @param {Blob} file @param {(done: number) => void} progress */
  async run(file, progress) {
    const seed = await revealed(file);
    if (seed) {
      this.seed = seed;
      this.key = await keyOf(fromHex(seed));
    }
    try {
      for await (const { number, text } of lines(file)) {
        if (/^[ \t\r]*$/.test(text)) continue;
        await this.line(read(text, number), number);
        if (number % 50 === 0) progress(number);
      }
    } catch (error) {
      // A line that cannot be read at all is where the next event should be.
      const lost = error instanceof Wrong && error.kind === "format" && !error.version;
      if (lost && (this.header || this.version) && !this.ended) throw new Wrong("format", this.version + 1, error.message);
      throw error;
    }
    if (this.ended && !this.seed) throw new Wrong("seed", this.version, "the end of the match does not show the seed");
    if (!this.version) throw new Wrong("format", 0, "there are no events");
    if (this.header) this.agree(this.header);
    if (this.key && !this.ended) throw new Wrong("format", this.version, "the seed is here, and the end of the match is not");
  }

  /** @param {Map<string, any>} line @param {number} number */
  async line(line, number) {
    if (number === 1 && line.has("format")) {
      if (line.get("format") !== "parlor-audit") throw new Wrong("format", 0, "this is no audit bundle");
      if (line.get("format_version") !== 1) throw new Wrong("format", 0, "this is another version of the format than 1");
      if (!hasOnly(line, HEADER) || typeof line.get("rules_fingerprint") !== "string") throw new Wrong("format", 0, "the first line has not the fields that it should have");
      this.header = line;
    } else if (this.footer) throw new Wrong("format", 0, `line ${number} follows the last line of the bundle`);
    else if (this.header && line.has("end")) this.footer = line;
    else await this.event(line);
  }

  /** Nothing chains these lines to the events: what they say must be what the events say. @param {Map<string, any>} header */
  agree(header) {
    if (!this.footer) throw new Wrong("format", 0, "the last line of the bundle is missing: it was cut off");
    const end = this.footer.get("end");
    if (this.footer.size !== 1 || !hasOnly(end, FOOTER) || !Array.isArray(end.get("signatures"))) throw new Wrong("format", 0, "the last line has not the fields that it should have");
    if (end.get("version") !== this.version || end.get("head") !== this.report.head) throw new Wrong("format", 0, "the last line names another head than the log has");
    if (end.get("server_seed") !== (this.seed || null)) throw new Wrong("format", 0, "the last line has another seed than the log");
    const opened = new Map([["match_rules", 1], ...this.opened, ["match", this.report.match]]);
    for (const name of OF_THE_MATCH) {
      if (canonical(header.get(name)) !== canonical(opened.get(name) ?? null)) throw new Wrong("format", 0, `the first line has another ${name} than the log`);
    }
    const seats = header.get("seats");
    if (!Array.isArray(seats) || !seats.every((seat) => hasOnly(seat, SEAT) && (seat.get("name") === null || typeof seat.get("name") === "string"))) throw new Wrong("format", 0, "the first line does not say who sat at the table");
    if (canonical(seats.map((seat) => seat.get("player"))) !== canonical(this.players)) throw new Wrong("format", 0, "the first line has other players than the log");
  }

  /** @param {Map<string, any>} event */
  async event(event) {
    const version = this.version + 1;
    const must = (/** @type {boolean} */ fits, /** @type {string} */ text) => {
      if (!fits) throw new Wrong("format", version, text);
    };
    must(hasOnly(event, FIELDS), "these are not the fields of an event");
    const { type, schema, at, ...rest } = Object.fromEntries(event);
    must(Number.isInteger(rest.version) && rest.version > 0, "the version is no number from 1 on");
    for (const text of [type, rest.actor, rest.command_id]) must(typeof text === "string", "type, actor and command_id are texts");
    must(Number.isInteger(schema) && schema > 0, "schema is no number from 1 on");
    must(isInstant(at), "at is no instant in UTC");
    must(isHash(rest.hash), "hash is no hash");
    const [secret, open] = [event.get("secret"), event.get("public")];
    must(secret instanceof Map && open instanceof Map, "public and secret are objects");
    for (const [audience, kept] of secret) {
      must(AUDIENCE.test(audience), `${audience} is no audience`);
      must(hasOnly(kept, ["commitment"]) || hasOnly(kept, ["commitment", "part", "salt"]), `the part for ${audience} has other fields`);
      for (const name of ["commitment", "salt"]) must(!kept.has(name) || isHash(kept.get(name)), `the ${name} for ${audience} is none`);
      must(!kept.has("part") || kept.get("part") instanceof Map, `the part for ${audience} is no object`);
    }
    this.ok("format");
    must(!this.ended, "something follows the end of the match");
    await this.commitments(version, secret);
    await this.chain(version, event, secret);
    must(schema >= this.schema, `schema ${schema} follows schema ${this.schema}`);
    this.schema = schema;
    if (version === 1) await this.open(event, open);
    if (this.key) await this.salts(version, secret, this.key);
    this.seats(version, type, open);
    await this.draw(version, open, secret);
    if (this.key) this.deal(version, type, open, secret);
    this.ended = type === "match_ended";
    if (this.ended && this.seed && open.get("server_seed") !== this.seed) throw new Wrong("seed", version, "the end of the match does not show the seed");
    if (this.ended && this.broken) throw new Wrong("seed", version, "the seed that is shown here is not the one that version 1 promised");
  }

  /** @param {number} version @param {string} type @param {Map<string, any>} open @param {Map<string, any>} secret */
  deal(version, type, open, secret) {
    let objection;
    try {
      objection = this.deals(type, open, new Map([...secret].map(([audience, kept]) => [audience, kept.get("part")])));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      objection = "nothing is dealt like this"; // a list where there should be a card, or the like
    }
    if (objection) throw new Wrong("deals", version, objection);
    if (!open.has("draw")) return;
    if (objection === null) this.ok("deals");
    else this.notChecked("deals", "what the draw means is for the rules of the game");
  }

  /** @param {number} version @param {Map<string, any>} secret */
  async commitments(version, secret) {
    for (const [audience, kept] of secret) {
      if (!kept.has("part")) {
        this.notChecked("commitments", "closed to this reader until the match is over");
        continue;
      }
      const found = toHex(await sha256(fromHex(kept.get("salt")), canonical(kept.get("part"))));
      if (found !== kept.get("commitment")) throw new Wrong("commitments", version, `the part for ${audience} does not fit its commitment`);
      this.ok("commitments");
    }
  }

  /** @param {number} version @param {Map<string, any>} event @param {Map<string, any>} secret */
  async chain(version, event, secret) {
    if (event.get("version") !== version) throw new Wrong("chain", version, `events are missing or out of order: version ${event.get("version")} stands here`);
    const hashed = new Map([...event].filter(([name]) => name !== "hash"));
    hashed.set("secret", new Map([...secret].map(([audience, kept]) => [audience, kept.get("commitment")])));
    const found = await sha256(this.previous, canonical(hashed));
    if (toHex(found) !== event.get("hash")) throw new Wrong("chain", version, "the hash does not fit the event and what came before it");
    this.previous = found;
    this.version = this.report.version = version;
    this.report.head = event.get("hash");
    this.ok("chain");
  }

  /** @param {Map<string, any>} event @param {Map<string, any>} open */
  async open(event, open) {
    if (event.get("type") !== "match_opened" || !Array.isArray(open.get("seats")) || !open.get("seats").every((/** @type {unknown} */ seat) => seat instanceof Map)) throw new Wrong("format", 1, "a match begins with match_opened");
    this.opened = open;
    this.report.match = String(open.get("match_id"));
    this.report.game = String(open.get("game"));
    this.clientSeeds = open.get("seats").map((/** @type {any} */ seat) => String(seat.get("client_seed") ?? ""));
    this.players = open.get("seats").map((/** @type {any} */ seat) => seat.get("player") ?? null);
    this.deals = deals(this.report.game, open);
    if (!this.key) return this.notChecked("seed", "the match is not over, so the seed is secret");
    if (toHex(await sha256(fromHex(this.seed), "")) !== open.get("seed_commitment")) {
      // Nothing can be checked with it; the end of the match, which shows it, is what is wrong.
      this.key = null;
      this.broken = true;
    } else this.ok("seed");
  }

  /** @param {number} version @param {Map<string, any>} secret @param {CryptoKey} key */
  async salts(version, secret, key) {
    for (const [audience, kept] of secret) {
      if (!kept.has("part")) throw new Wrong("salts", version, `the part for ${audience} is closed, though the match is over`);
      const salt = toHex(await hmac(key, `salt|${this.report.match}|${version}|${audience}`));
      if (salt !== kept.get("salt")) throw new Wrong("salts", version, `the salt for ${audience} does not come from the seed`);
      this.ok("salts");
    }
  }

  /** @param {number} version @param {string} type @param {Map<string, any>} open */
  seats(version, type, open) {
    const seat = open.get("seat");
    if (["seat_taken", "seat_left", "seat_vacated", "invitation_declined"].includes(type) && Number.isInteger(seat) && seat >= 0 && seat < this.clientSeeds.length) {
      this.clientSeeds[seat] = String(open.get("client_seed") ?? "");
      this.players[seat] = open.get("player") ?? null;
    }
    if (type !== "match_started") return;
    this.started = true;
    if (canonical(open.get("client_seeds") ?? null) !== canonical(this.clientSeeds)) throw new Wrong("draws", version, "these are not the client seeds that the seats gave");
  }

  /** @param {number} version @param {Map<string, any>} open @param {Map<string, any>} secret */
  async draw(version, open, secret) {
    const closed = secret.get("table")?.get("part")?.get("draw");
    const record = open.get("draw");
    if (record === undefined) {
      if (closed !== undefined) throw new Wrong("draws", version, "the result of a draw that was not announced");
      return;
    }
    this.draws += 1;
    const [n, kind, size] = record instanceof Map ? [record.get("n"), record.get("kind"), record.get("size")] : [];
    if (!this.started || n !== this.draws || !canBeDrawn(kind, size)) throw new Wrong("draws", version, `draw ${this.draws} is out of order, or of no known kind and size`);
    if (!this.key) return this.notChecked("draws", "the match is not over, so the seed is secret");
    const result = kind === "dice" ? record.get("result") : closed?.get?.("result");
    const stream = new Stream(this.key, `${this.report.match}|${this.clientSeeds.join(",")}|${n}|`);
    if (canonical(await drawn(stream, kind, size)) !== canonical(result ?? null)) throw new Wrong("draws", version, `draw ${n} does not come from the seed`);
    this.ok("draws");
  }
}

/** @param {Report} report @returns {string[]} a line for each kind of check, and the verdict */
export function told(report) {
  const lines = report.match ? [`match ${report.match} of ${report.game}, version ${report.version}`] : [];
  for (const [kind, { ok, unchecked }] of Object.entries(report.checks)) {
    const reasons = Object.entries(unchecked).map(([reason, count]) => `${count} not checked: ${reason}`);
    const state = report.wrong?.kind === kind ? `${ok} ok, then WRONG` : [...(ok || !reasons.length ? [`${ok} ok`] : []), ...reasons].join(", ");
    lines.push(`${`${kind}:`.padEnd(13)}${state}`);
  }
  lines.push(report.wrong ? `WRONG: ${report.wrong.message}` : `All that could be checked fits. The last hash is ${report.head}`);
  return lines;
}

const node = globalThis.process;
if (node?.argv?.[1] && import.meta.url === new URL(`file://${node.argv[1]}`).href) {
  const { openAsBlob } = await import("node:fs");
  for (const path of node.argv.slice(2)) {
    const report = await verify(await openAsBlob(path));
    console.log(told(report).join("\n"));
    node.exitCode ||= report.wrong ? 1 : 0;
  }
}
