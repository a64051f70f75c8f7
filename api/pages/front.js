/** The front page: the games, tables that wait, and the way to the first card. */

import { h, s, show } from "./dom.js";
import { Opening } from "./opening.js";
import { card, die, man } from "./pieces.js";
import { Away, Problem, get, request, somebody, whoIsThere } from "./server.js";

/** What lies on each tile, drawn as on the table. @type {Record<string, any[]>} */
const TILES = {
  "acey-ducey": ["die 1", "die 2", "men 0 1"],
  aviation: ["C-6", "R-7", "W-8"],
  backgammon: ["die 6", "men 0 1", "die 4"],
  baffle: ["W-7", "O-7", "R-7"],
  "check-and-double-check": ["die 4", "9", "die 5"],
  checkers: ["men 0 1", "king 0"],
  "crown-baseball": ["C-8", "batter 1", "R-2"],
  flique: ["O-4", "O-5", "O-6"],
  "four-nines": ["die 5", "men 0 2", "men 1 3"],
  goat: ["C-9", "R-9", "O-9", "W-9"],
  grafto: ["R-5", "C-1", "R-13"],
  "jack-daw": ["C-11", "R-1", "C-2"],
  "kid-o": ["R-13", "O-2", "W-3"],
  nix: ["0-0", "7-0", "7-1"],
  "prince-and-pauper": ["PRINCE", "W-13", "PAUPER"],
  quenette: ["O-5", "O-12", "C-3"],
  rustle: ["C-10", "C-13", "R-10"],
  "secret-seven": ["O-4", null, "R-3"],
  trix: ["15-15", "10-5", "9-6"],
};

/** @param {any} thing */
function drawn(thing) {
  const [what, ...rest] = String(thing).split(" ");
  if (what === "die") return die(Number(rest[0]));
  if (["men", "king", "batter"].includes(what)) {
    return s("svg.men", { viewBox: `0 0 ${rest.length * 34 + 6} 40`, "aria-hidden": "true" },
      rest.map((side, n) => s("g", { transform: `translate(${20 + 34 * n} 20)` }, man(Number(side), what, 16))));
  }
  return card(thing);
}

/** How many can play: a game may be for two or four, and not for three. @param {number[]} seats */
function inARow(seats) {
  const [low, high] = [seats[0], seats[seats.length - 1]];
  return seats.length === high - low + 1 && seats.length > 1 ? `${low} to ${high}` : seats.join(" or ");
}

/** @param {string} slug */
export const picture = (slug) => h("span.picture", { "aria-hidden": "true" }, (TILES[slug] ?? [null]).map(drawn));

export class FrontPage {
  /** @param {HTMLElement} root @param {(path: string) => void} go */
  constructor(root, go) {
    this.root = root;
    this.go = go;
    /** @type {any[]} */
    this.games = [];
    /** @type {any[]} */
    this.mine = [];
    /** @type {any[]} */
    this.joinable = [];
    /** @type {any[]} */
    this.watchable = [];
    /** @type {Opening | null} */
    this.picked = null;
    /** @type {any} */
    this.me = null;
    this.trouble = "";
  }

  async open() {
    this.close();
    [{ games: this.games }, this.me] = await Promise.all([get("/v1/games"), whoIsThere()]);
    this.draw();
    await this.refresh();
    this.ticking = setInterval(() => !document.hidden && this.refresh().catch(() => {}), 5000);
  }

  close() {
    clearInterval(this.ticking);
  }

  /** Tables that one can go to. Somebody without a name yet may watch those that are open to all. */
  async refresh() {
    // Those that are over are not asked for: there may be any number of them, and they would come first.
    const lists = ["?status=playing&limit=30", "?status=open&limit=30", "?show=joinable&limit=20", "?show=watchable&status=playing&limit=20"];
    const [playing, open, joinable, watchable] = await Promise.all(lists.map((query, n) => (this.me || n === 3 ? get(`/v1/matches${query}`) : { matches: [] })));
    this.mine = [...playing.matches, ...open.matches].sort((/** @type {any} */ a, /** @type {any} */ b) => Number(this.isTurn(b)) - Number(this.isTurn(a)));
    const own = new Set(this.mine.map((/** @type {any} */ one) => one.id));
    this.joinable = joinable.matches.filter((/** @type {any} */ one) => !own.has(one.id));
    this.watchable = watchable.matches.filter((/** @type {any} */ one) => !own.has(one.id));
    this.draw();
  }

  /** Does something, and says what is wrong with it if something is. @param {() => Promise<void>} what */
  async try(what) {
    this.trouble = "";
    try {
      await what();
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Away)) throw error;
      this.trouble = error instanceof Away ? "The server is away. Try it again in a moment." : error.message;
    }
    this.draw();
    if (this.trouble) this.root.querySelector(".trouble")?.scrollIntoView({ block: "nearest" });
  }

  draw() {
    show(this.root,
      h("section.welcome", { "data-key": "welcome" }, h("h1", null, "Nineteen parlor games"),
        h("p", null, "Printed between 1903 and 1943. Choose one, and the first card is on the table."), this.name()),
      this.trouble && h("p.trouble", { role: "alert", "data-key": "trouble" }, this.trouble),
      this.list("Your tables", this.mine),
      this.list("Open seats", this.joinable),
      this.list("To watch", this.watchable),
      h("h2.unseen", { "data-key": "heading" }, "The games"),
      h("ul.games", { "data-key": "games" }, this.games.map((game) => this.tile(game))));
  }

  /** What others call the reader, to be changed at any time. */
  name() {
    if (!this.me) return h("p.who-am-i", { "data-key": "name" }, "You need no account: with your first table you get a name, which you may change.");
    const rename = (/** @type {any} */ sent) => {
      sent.preventDefault();
      this.try(async () => { this.me = await request("PATCH", "/v1/me", { name: sent.target.elements.name.value }); this.naming = false; });
    };
    if (this.naming) {
      return h("form.line.who-am-i", { "data-key": "naming", onsubmit: rename },
        h("label", null, "Your name ", h("input", { name: "name", value: this.me.name, maxlength: 40, required: true, autocomplete: "nickname" })),
        h("button.primary", null, "Change"), h("button.quiet", { type: "button", onclick: () => { this.naming = false; this.draw(); } }, "Cancel"));
    }
    return h("p.who-am-i", { "data-key": "name" }, "You are ", h("a", { href: `/players/${this.me.id}` }, this.me.name), " ",
      h("button.link", { onclick: () => { this.naming = true; this.draw(); this.root.querySelector("input")?.focus(); } }, "Change your name"));
  }

  /** @param {any} game */
  tile(game) {
    const picked = this.picked?.game.slug === game.slug ? this.picked : null;
    return h("li.tile", { "data-key": game.slug, class: picked ? "picked" : "" },
      h("button.cover", { "aria-expanded": String(Boolean(picked)), onclick: () => this.pick(game) },
        picture(game.slug), h("span.title", null, game.title),
        h("span.seats", null, `${inARow(game.seats)} players`),
        h("span.summary", null, game.summary)),
      picked?.form());
  }

  /** @param {any} game */
  pick(game) {
    if (this.picked?.game.slug === game.slug) this.picked = null;
    else {
      this.picked = new Opening(game, () => this.draw(), (body, ready) => this.start(body, ready));
      const picked = this.picked;
      this.try(() => picked.load());
    }
    this.draw();
  }

  /** Opens a table, and goes there; one that is ready begins at once. @param {any} body @param {boolean} ready */
  start(body, ready) {
    return this.try(async () => {
      this.me = await somebody();
      const made = await request("POST", "/v1/matches", body);
      if (ready) await request("POST", `/v1/matches/${made.id}/start`, {});
      this.go(`/matches/${made.id}`);
    });
  }

  /** @param {any} one */
  isTurn(one) {
    return one.to_act.some((/** @type {number} */ seat) => one.seats[seat].player === this.me?.id && one.seats[seat].kind !== "bot");
  }

  /** @param {string} title @param {any[]} matches */
  list(title, matches) {
    if (!matches.length) return null;
    return h("section.tables", { "data-key": title }, h("h2", null, title), h("ul", null, matches.map((one) => h("li", { "data-key": one.id },
      h("a", { href: `/matches/${one.id}` }, h("b", null, this.games.find((each) => each.slug === one.game)?.title ?? one.game), " ",
        h("span.whose", null, one.seats.map((/** @type {any} */ each) => each.name ?? "open seat").join(", ")), " ", this.state(one))))));
  }

  /** Whom a table waits for. @param {any} one */
  state(one) {
    if (one.status === "open") return h("span.tag", null, "waits for players");
    if (this.isTurn(one)) return h("span.tag.yours", null, "your turn");
    const names = one.to_act.map((/** @type {number} */ seat) => one.seats[seat].name);
    return names.length > 0 && h("span.tag", null, names.length > 2 ? `${names.length} are to act` : `${names.join(" and ")} to act`);
  }
}
