/** Who plays best, and what a player has done. */

import { h, show } from "./dom.js";
import { get, somebody } from "./server.js";

const KINDS = { all: "everybody", people: "people", programs: "programs", bots: "bots" };
const LEVELS_AGAINST = ["random", "steady", "strong"];

/** @param {string} label @param {[string, string][]} offered values and names @param {string} chosen @param {(value: string) => void} choose */
const choice = (label, offered, chosen, choose) => h("label", null, `${label} `, h("select", { onchange: (/** @type {any} */ turned) => choose(turned.target.value) },
  offered.map(([value, name]) => h("option", { value, selected: value === chosen }, name))));

/** @param {string[]} names @param {HTMLElement[]} rows @param {string} label */
const grid = (names, rows, label) => h("div.scrolled", { tabindex: 0, role: "region", "aria-label": label }, h("table.grid", null,
  h("thead", null, h("tr", null, names.map((name) => h("th", { scope: "col" }, name)))), h("tbody", null, rows)));

/** @param {any[]} cells */
const row = (cells) => h("tr", null, cells.map((cell) => h(typeof cell === "number" ? "td.figure" : "td", null, cell)));

/** @param {string} moment */
export const day = (moment) => new Date(moment).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });

export class LeadersPage {
  /** @param {HTMLElement} root @param {(path: string) => void} go @param {string} [slug] */
  constructor(root, go, slug = "backgammon") {
    this.root = root;
    this.go = go;
    this.slug = slug;
    this.kind = "all";
  }

  async open() {
    await somebody();
    this.games = (await get("/v1/games")).games;
    await this.read();
  }

  close() {}

  /** One page more, or the first. @param {string | null} [cursor] */
  async read(cursor = null) {
    const page = await get(`/v1/leaderboards/${this.slug}?limit=50&kind=${this.kind}${cursor ? `&cursor=${cursor}` : ""}`);
    this.leaders = cursor ? [...(this.leaders ?? []), ...page.leaders] : page.leaders;
    const rows = this.leaders.map((/** @type {any} */ one) => row([one.rank,
      [one.player ? h("a", { href: `/players/${one.player}` }, one.name ?? "deleted player") : one.name ?? `bots: ${one.level}`, one.kind !== "human" && h("span.tag", null, one.kind)],
      one.points, one.matches, one.won, one.drawn, one.lost]));
    show(this.root, h("div.leaders", { "data-key": "leaders" }, h("h1", null, "Leaderboard"),
      h("p.line", null,
        choice("Game", this.games.map((/** @type {any} */ one) => [one.slug, one.title]), this.slug, (slug) => this.go(`/leaderboards/${slug}`)),
        choice("Who", Object.entries(KINDS), this.kind, (kind) => { this.kind = kind; this.read(); })),
      rows.length ? grid(["rank", "player", "points", "matches", "won", "drawn", "lost"], rows, "leaderboard") : h("p", null, "Nobody has a rating here yet. Matches with the usual options count."),
      page.next && h("button", { onclick: () => this.read(page.next) }, "More")));
  }
}

export class PlayerPage {
  /** @param {HTMLElement} root @param {string} id */
  constructor(root, id) {
    this.root = root;
    this.id = id;
    this.game = "";
    this.against = "";
    /** @type {any[]} */
    this.history = [];
  }

  async open() {
    this.me = await somebody();
    // With somebody else one compares oneself, with oneself the bots.
    this.against ||= this.me.id === this.id ? "bot:steady" : this.me.id;
    this.games = (await get("/v1/games")).games;
    await this.read();
  }

  close() {
    document.title = "Parlor";
  }

  /** @param {string | null} [cursor] */
  async read(cursor = null) {
    const asked = new URLSearchParams({ against: this.against, limit: "20", ...(this.game ? { game: this.game } : {}), ...(cursor ? { cursor } : {}) });
    const player = await get(`/v1/players/${this.id}?${asked}`);
    this.history = cursor ? [...this.history, ...player.history] : player.history;
    document.title = `${player.name ?? "Deleted player"} · Parlor`;
    this.draw(player);
  }

  /** @param {string} slug */
  titleOf(slug) {
    return this.games.find((/** @type {any} */ one) => one.slug === slug)?.title ?? slug;
  }

  /** @param {any} player */
  draw(player) {
    const mine = this.me.id === this.id;
    const others = /** @type {[string, string][]} */ ([...(mine ? [] : [[this.me.id, `you (${this.me.name})`]]), ...LEVELS_AGAINST.map((level) => [`bot:${level}`, `bots: ${level}`])]);
    const ratings = player.ratings.map((/** @type {any} */ one) => row([[h("a", { href: `/leaderboards/${one.game}` }, this.titleOf(one.game)), one.kind === "program" && h("span.tag", null, "program")],
      one.points, one.matches, one.won, one.drawn, one.lost]));
    const history = this.history.map((one) => row([day(one.ended_at), [h("a", { href: `/matches/${one.match}/replay` }, this.titleOf(one.game)), one.kind === "program" && h("span.tag", null, "program")],
      one.result, one.place, `${one.points_before} → ${one.points}`]));
    const met = player.head_to_head;
    show(this.root, h("div.player-page", { "data-key": this.id }, h("h1", null, player.name ?? "Deleted player"),
      mine && h("p", null, "This is you. ", h("a", { href: "/account" }, "To your account")),
      h("section", null, h("h2", null, "Ratings"), ratings.length ? grid(["game", "points", "matches", "won", "drawn", "lost"], ratings, "ratings") : h("p", null, "None yet.")),
      h("section", null, h("h2", null, "Head to head"), h("p.line", null,
          choice("against", others, this.against, (against) => { this.against = against; this.read(); }),
          choice("in", [["", "all games"], ...this.games.map((/** @type {any} */ one) => [one.slug, one.title])], this.game, (slug) => { this.game = slug; this.read(); })),
        h("p", { "data-met": met.matches }, met.matches ? `${met.matches} rated matches: ${met.won} won, ${met.drawn} drawn, ${met.lost} lost` : "They have not met in a rated match.")),
      h("section", null, h("h2", null, `Rated matches${this.game ? ` of ${this.titleOf(this.game)}` : ""}`),
        history.length ? grid(["day", "game", "result", "place", "points"], history, "rated matches") : h("p", null, "None yet."),
        player.next && h("button", { onclick: () => this.read(player.next) }, "More")),
      player.matches.length > 0 && h("section.tables", null, h("h2", null, "Newest matches that you may look at"), h("ul", null, player.matches.map((/** @type {any} */ one) =>
        h("li", null, h("a", { href: one.status === "over" ? `/matches/${one.id}/replay` : `/matches/${one.id}` }, h("b", null, this.titleOf(one.game)), " ", one.seats.map((/** @type {any} */ seat) => seat.name ?? "open seat").join(", "), " ", h("span.tag", null, one.status))))))));
  }
}
