/** Who plays best, and what a player has done. */

import { h, show } from "./dom.js";
import { get, somebody } from "./server.js";

const KINDS = { all: "everybody", people: "people", programs: "programs", bots: "bots" };

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
    const { games } = await get("/v1/games");
    const board = await get(`/v1/leaderboards/${this.slug}?limit=50${this.kind === "all" ? "" : `&kind=${this.kind}`}`);
    show(this.root, h("div.leaders", { "data-key": "leaders" },
      h("h1", null, "Leaderboard"),
      h("p.line", null,
        h("label", null, "Game ", h("select", { onchange: (/** @type {any} */ turned) => this.go(`/leaderboards/${turned.target.value}`) },
          games.map((/** @type {any} */ one) => h("option", { value: one.slug, selected: one.slug === this.slug }, one.title)))),
        h("label", null, "Who ", h("select", { onchange: (/** @type {any} */ turned) => { this.kind = turned.target.value; this.open(); } },
          Object.entries(KINDS).map(([kind, name]) => h("option", { value: kind, selected: kind === this.kind }, name))))),
      board.leaders.length ? h("table.grid", null,
        h("thead", null, h("tr", null, ["", "player", "points", "matches", "won"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", null, board.leaders.map((/** @type {any} */ one) => h("tr", null, h("td.figure", null, one.rank),
          h("td", null, one.player ? h("a", { href: `/players/${one.player}` }, one.name ?? "deleted player") : `bots: ${one.level ?? one.name}`, one.kind === "program" && h("span.tag", null, "program")),
          h("td.figure", null, one.points), h("td.figure", null, one.matches), h("td.figure", null, one.won)))))
        : h("p", null, "Nobody has a rating here yet. Matches with the usual options count.")));
  }

  close() {}
}

export class PlayerPage {
  /** @param {HTMLElement} root @param {string} id */
  constructor(root, id) {
    this.root = root;
    this.id = id;
  }

  async open() {
    await somebody();
    const [player, { games }] = await Promise.all([get(`/v1/players/${this.id}`), get("/v1/games")]);
    const title = (/** @type {string} */ slug) => games.find((/** @type {any} */ one) => one.slug === slug)?.title ?? slug;
    show(this.root, h("div.player-page", { "data-key": this.id },
      h("h1", null, player.name ?? "Deleted player"),
      player.ratings.length > 0 && h("section", null, h("h2", null, "Ratings"), h("table.grid", null,
        h("thead", null, h("tr", null, ["game", "points", "matches", "won"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", null, player.ratings.map((/** @type {any} */ one) => h("tr", null, h("td", null, h("a", { href: `/leaderboards/${one.game}` }, title(one.game)), one.kind === "program" && h("span.tag", null, "program")),
          h("td.figure", null, one.points), h("td.figure", null, one.matches), h("td.figure", null, one.won)))))),
      player.matches.length > 0 && h("section.tables", null, h("h2", null, "Matches that you may look at"), h("ul", null, player.matches.map((/** @type {any} */ one) =>
        h("li", null, h("a", { href: `/matches/${one.id}` }, h("b", null, title(one.game)), " ", one.status))))),
      !player.ratings.length && !player.matches.length && h("p", null, "No rated matches, and none that you may look at.")));
  }

  close() {}
}
