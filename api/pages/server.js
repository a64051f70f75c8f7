/** The server as this page knows it: the public API and nothing else. */

const TOKEN = "parlor.token";
const PATIENCE = [300, 700, 1500, 3000, 6000]; // milliseconds between tries

/** What the server refused, or could not read. */
export class Problem extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.detail ?? "The server answered with something else than was asked for.");
    this.status = status;
    this.code = body?.code ?? "unknown";
    this.rule = body?.rule ?? null;
    this.body = body;
  }
}

/** The server cannot be reached. */
export class Away extends Error {}

export const token = {
  get: () => localStorage.getItem(TOKEN),
  /** @param {string} value */
  set: (value) => localStorage.setItem(TOKEN, value),
  forget: () => localStorage.removeItem(TOKEN),
};

/**
 * An answer that is well, whatever is in it.
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @param {Record<string, string>} [headers]
 * @param {AbortSignal} [signal]
 */
export async function opened(method, path, body, headers = {}, signal) {
  const bearer = token.get();
  let answer;
  try {
    answer = await fetch(path, {
      method, signal, cache: "no-cache",
      headers: { ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}), ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Away("the server cannot be reached");
  }
  if (answer.ok || answer.status === 304) return answer;
  throw new Problem(answer.status, isJson(answer) ? await answer.json() : null);
}

/**
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @param {Record<string, string>} [headers]
 */
export async function request(method, path, body, headers = {}) {
  const answer = await opened(method, path, body, headers);
  if (answer.status === 204 || answer.status === 304) return null;
  // An answer that breaks off was lost like one that never came.
  return (isJson(answer) ? answer.json() : answer.text()).catch(() => { throw new Away("the answer was lost"); });
}

/** @param {Response} answer */
const isJson = (answer) => /[/+]json/.test(answer.headers.get("Content-Type") ?? "");

/** @param {string} path */
export const get = (path) => request("GET", path);

/** @param {string} path @param {any} [body] */
export const post = (path, body = {}) => request("POST", path, body);

/** A key that nobody has used. `crypto.randomUUID` is not there on pages that come by plain http from another machine. */
const fresh = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {number} ms */
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * A command. If its answer is lost it is sent again with the same key, which never plays twice.
 * @param {string} match
 * @param {any} command
 * @param {(trouble: boolean) => void} [told]
 */
export async function play(match, command, told = () => {}) {
  const key = fresh();
  let lost = false;
  for (const pause of [...PATIENCE, null]) {
    try {
      const answer = await request("POST", `/v1/matches/${match}/commands`, command, { "Idempotency-Key": key });
      if (lost) told(false);
      return answer;
    } catch (error) {
      const again = error instanceof Away || (error instanceof Problem && error.status === 503);
      if (!again || pause === null) throw error;
      lost = true;
      told(true);
      await sleep(pause);
    }
  }
}

/** Somebody to play as: whoever this browser knows, or a new guest. @returns {Promise<any>} */
export async function somebody() {
  if (token.get()) {
    try {
      return await get("/v1/me");
    } catch (error) {
      if (!(error instanceof Problem && error.status === 401)) throw error;
      token.forget();
    }
  }
  const made = await request("POST", "/v1/players", { name: guestName() });
  token.set(made.token);
  return made;
}

/** Who this browser is known as, if anybody. @returns {Promise<any | null>} */
export async function whoIsThere() {
  return token.get() ? somebody() : null;
}

/** Asks as whoever is there; a guest gets a name only where the server wants one. @param {string} path */
export async function getAsAnybody(path) {
  await whoIsThere();
  try {
    return await get(path);
  } catch (error) {
    if (!(error instanceof Problem && error.code === "token_missing")) throw error;
    await somebody();
    return get(path);
  }
}

const FIRST = ["Merry", "Quiet", "Lucky", "Brave", "Clever", "Gentle", "Swift", "Jolly", "Patient", "Witty"];
const LAST = ["Heron", "Badger", "Robin", "Otter", "Wren", "Hare", "Finch", "Beaver", "Thrush", "Marten"];
/** @param {string[]} words */
const any = (words) => words[Math.floor(Math.random() * words.length)];
const guestName = () => `${any(FIRST)} ${any(LAST)}`;
