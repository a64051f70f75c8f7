/** A match as it goes on: the newest view, what was said, what may be done. The stream is taken up again by itself after any loss. */

import { Away, Problem, get, opened, sleep, token } from "./server.js";

/**
 * @typedef {object} State
 * @property {any} match
 * @property {any[]} legal
 * @property {{version: number, words: string}[]} story
 * @property {Record<string, string>} deadlines
 */

const DEAD = 30_000; // milliseconds without a sign of life, which comes every ten seconds
const STALE = 12_000;
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 8000;

export class Live {
  /**
   * @param {string} id
   * @param {(state: State, fresh: boolean) => void | Promise<void>} changed
   * @param {(trouble: string | null) => void} troubled
   */
  constructor(id, changed, troubled) {
    this.id = id;
    this._changed = changed;
    this._troubled = troubled;
    /** @type {State} */
    this.state = { match: null, legal: [], story: [], deadlines: {} };
    /** @type {string | null} */
    this._last = null; // the id of the last message
    this.waiting = true; // whether the match has never been followed
    this.ahead = 0; // milliseconds that the server's clock is ahead of this one
    this._due = false; // whether something waits to be drawn
    this._anew = false; // whether the connection was given up on purpose
    this._ended = false;
    this._closed = false;
    this._heard = 0;
    this._line = new AbortController();
    this._wake = () => {};
    this._back = () => this._lookUp();
    window.addEventListener("online", this._back);
    document.addEventListener("visibilitychange", this._back);
    this._watch = setInterval(() => Date.now() - this._heard > DEAD && this._line.abort(), 5000);
  }

  /** Follows the match until it is over or the page is left. */
  async run() {
    let pause = FIRST_PAUSE;
    while (!this._ended && !this._closed) {
      const heard = this._last;
      try {
        await this._follow();
      } catch (error) {
        if (this._closed) return;
        if (this._anew) continue;
        if (error instanceof Problem && error.code === "no_such_version") this._last = null;
        else if (error instanceof Problem && error.status < 500 && error.status !== 429) throw error;
        this._troubled(error instanceof Problem ? "The server is busy; the table goes on by itself." : "The server is away; the table comes back by itself.");
      }
      if (this._ended || this._closed) break;
      pause = this._last === heard ? Math.min(pause * 2, LONGEST_PAUSE) : FIRST_PAUSE;
      await Promise.race([sleep(pause), new Promise((woken) => { this._wake = () => woken(null); })]);
    }
  }

  /** Begins again, as somebody else than before. */
  anew() {
    this._anew = true;
    this._last = null;
    this._line.abort();
    this._wake();
  }

  /** One connection, from its first byte to its last. */
  async _follow() {
    this._anew = false;
    this._line = new AbortController();
    this._heard = Date.now();
    const headers = { Accept: "text/event-stream", ...(this._last === null ? {} : { "Last-Event-ID": this._last }) };
    const answer = await opened("GET", `/v1/matches/${this.id}/events?view=1`, undefined, headers, this._line.signal);
    this._troubled(null);
    this.waiting = false;
    this.ahead = Date.parse(answer.headers.get("Date") ?? "") - Date.now() || 0;
    for await (const message of messagesOf(answer, () => { this._heard = Date.now(); })) await this._take(message);
  }

  /** @param {Record<string, string>} message */
  async _take({ event, id, data }) {
    if (!event) return;
    const body = JSON.parse(data);
    if (event === "bye") return this._dismissed(body.reason);
    if (id) this._last = id;
    if (event === "end") return this._over();
    if (event === "event") this._tell([body]);
    if (!body.view) return;
    const fresh = this.state.match !== null;
    this.state = { ...this.state, match: body.view, legal: body.legal ?? [], deadlines: body.deadlines };
    if (fresh) return this._soon();
    await this._changed(this.state, false);
    this._past();
  }

  /** What has come together is drawn together: a reader who is behind is not shown every step on the way. */
  _soon() {
    if (this._due) return;
    this._due = true;
    setTimeout(() => {
      this._due = false;
      if (!this._closed) this._changed(this.state, true);
    }, 0);
  }

  /** @param {any[]} told events with their words */
  _tell(told) {
    const newest = this.state.story[this.state.story.length - 1]?.version ?? 0;
    if (told.length === 1 && told[0].event.version > newest) {
      this.state.story.push({ version: told[0].event.version, words: told[0].words });
      return;
    }
    const known = new Set(this.state.story.map((one) => one.version));
    const fresh = told.filter(({ event }) => !known.has(event.version)).map(({ event, words }) => ({ version: event.version, words }));
    this.state.story = [...this.state.story, ...fresh].sort((a, b) => a.version - b.version);
  }

  /** What was said before the page was opened; the table does not wait for it. */
  async _past() {
    const upto = this.state.match.version;
    const page = await get(`/v1/matches/${this.id}/events?words=1&limit=1000&after=${Math.max(0, upto - 1000)}`).catch(() => null);
    if (!page || this._closed) return;
    this._tell(page.events);
    await this._changed(this.state, false);
  }

  /** @param {string} reason */
  _dismissed(reason) {
    if (reason === "not_yours") throw new Problem(404, { detail: "You may no longer see this match.", code: reason });
    if (reason === "token") {
      token.forget();
      throw new Problem(401, { detail: "This browser's token was revoked.", code: reason });
    }
    throw new Away(reason);
  }

  async _over() {
    this._ended = true;
    // Whether there is a rematch already, the stream does not know.
    const match = await get(`/v1/matches/${this.id}`).catch(() => null);
    if (match && !this._closed) this.state = { ...this.state, match, legal: [], deadlines: {} };
    await this._changed(this.state, true);
    this._awaitRematch();
  }

  /** Whoever stays at the table after the end is told when one of the others asks for another match. */
  async _awaitRematch() {
    const { seats, you } = this.state.match;
    const others = seats.some((/** @type {any} */ seat) => seat.seat !== you && seat.player);
    for (let pause = FIRST_PAUSE; you !== null && others && !this._closed && !this.state.match.rematch; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        this._line = new AbortController();
        const answer = await opened("GET", "/v1/events", undefined, { Accept: "text/event-stream" }, this._line.signal);
        await this._lookForRematch(); // it may have been asked for before this stream was open
        for await (const { event } of messagesOf(answer, () => { this._heard = Date.now(); })) {
          if (event === "invited") await this._lookForRematch();
          if (this.state.match.rematch) this._line.abort();
        }
      } catch (error) {
        if (!(error instanceof Away) && !(error instanceof Problem)) throw error;
        if (error instanceof Problem && error.status < 500 && error.status !== 429) return;
      }
      await sleep(pause);
    }
  }

  async _lookForRematch() {
    const match = await get(`/v1/matches/${this.id}`);
    if (this._closed || !match.rematch) return;
    this.state = { ...this.state, match };
    await this._changed(this.state, true);
  }

  /** The machine has slept, or the network is back: what may be dead is not waited for. */
  _lookUp() {
    if (document.hidden || this._ended) return;
    if (Date.now() - this._heard > STALE) this._line.abort();
    this._wake();
  }

  close() {
    this._closed = true;
    clearInterval(this._watch);
    window.removeEventListener("online", this._back);
    document.removeEventListener("visibilitychange", this._back);
    this._line.abort();
    this._wake();
  }
}

/**
 * The messages of a stream, one after another.
 * @param {Response} answer
 * @param {() => void} alive told of every sign of life
 */
async function* messagesOf(answer, alive) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const part = await reader.read().catch(() => { throw new Away("the connection is lost"); });
    if (part.done) return;
    alive();
    const messages = (text + decoder.decode(part.value, { stream: true })).split("\n\n");
    text = messages.pop() ?? "";
    for (const message of messages) yield messageFields(message);
  }
}

/** @param {string} message of a stream @returns {Record<string, string>} */
function messageFields(message) {
  const found = /** @type {Record<string, string>} */ ({});
  for (const line of message.split("\n")) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name) found[name] = value;
  }
  return found;
}
