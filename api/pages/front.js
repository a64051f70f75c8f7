/** The front page: the games, tables that wait, and the way to the first card. */

import { h, show } from "./dom.js";
import { card, die, man } from "./pieces.js";
import { s } from "./dom.js";
import { Problem, get, post, somebody, whoIsThere } from "./server.js";

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
    this.open_tables = [];
    /** @type {string | null} */
    this.picked = null;
    /** @type {string | null} */
    this.trouble = null;
    this.level = localStorage.getItem("parlor.level") ?? "steady";
    this.seats = 0;
    this.options = /** @type {Record<string, any>} */ ({});
  }

  async open() {
    const [{ games }, me] = await Promise.all([get("/v1/games"), whoIsThere()]);
    this.games = games;
    this.me = me;
    this.draw();
    if (me) await this.refresh();
    this._timer = setInterval(() => !document.hidden && this.me && this.refresh().catch(() => {}), 5000);
  }

  close() {
    clearInterval(this._timer);
  }

  async refresh() {
    const [mine, joinable] = await Promise.all([get("/v1/matches?limit=20"), get("/v1/matches?show=joinable&limit=20")]);
    this.mine = mine.matches.filter((/** @type {any} */ one) => one.status !== "over");
    const own = new Set(this.mine.map((one) => one.id));
    this.open_tables = joinable.matches.filter((/** @type {any} */ one) => !own.has(one.id));
    this.draw();
  }

  draw() {
    show(this.root,
      h("section.welcome", { "data-key": "welcome" }, h("h1", null, "Nineteen parlor games"), h("p", null, "Printed between 1903 and 1943. Choose one, and the first card is on the table.")),
      this.trouble && h("p.trouble", { role: "alert", "data-key": "trouble" }, this.trouble),
      this.mine.length > 0 && this.list("Your tables", this.mine),
      this.open_tables.length > 0 && this.list("Open seats", this.open_tables),
      h("ul.games", { "data-key": "games" }, this.games.map((game) => this.tile(game))));
  }

  /** @param {any} game */
  tile(game) {
    const picked = this.picked === game.slug;
    const [low, high] = [game.seats[0], game.seats[game.seats.length - 1]];
    return h("li.tile", { "data-key": game.slug, class: picked ? "picked" : "" },
      h("button.cover", { "aria-expanded": String(picked), onclick: () => this.pick(game) },
        picture(game.slug), h("span.title", null, game.title),
        h("span.seats", null, low === high ? `${low} players` : `${low} to ${high} players`),
        h("span.summary", null, game.summary)),
      picked && this.opening(game));
  }

  /** @param {any} game */
  async pick(game) {
    this.picked = this.picked === game.slug ? null : game.slug;
    this.seats = game.seats[Math.min(1, game.seats.length - 1)];
    this.options = {};
    this.draw();
    this.detail = await get(`/v1/games/${game.slug}`);
    this.draw();
  }

  /** @param {any} game */
  opening(game) {
    const detail = this.detail?.slug === game.slug ? this.detail : null;
    const levels = detail ? detail.bots.map((/** @type {any} */ one) => one.level ?? one) : ["random", "steady", "strong"];
    return h("form.opening", { onsubmit: (/** @type {Event} */ sent) => { sent.preventDefault(); this.start(game, "bot"); } },
      h("label", null, "Seats ", h("select", { onchange: (/** @type {any} */ turned) => { this.seats = Number(turned.target.value); } },
        game.seats.map((/** @type {number} */ n) => h("option", { value: n, selected: n === this.seats }, n)))),
      h("label", null, "Bots ", h("select", { onchange: (/** @type {any} */ turned) => { this.level = turned.target.value; localStorage.setItem("parlor.level", this.level); } },
        levels.map((/** @type {string} */ level) => h("option", { value: level, selected: level === this.level }, level)))),
      h("button.primary", { type: "submit" }, "Play now"),
      h("button", { type: "button", onclick: () => this.start(game, "open") }, "Open a table"),
      detail && h("details", { "data-key": "options" }, h("summary", null, "Table options"),
        h("div.options", null, detail.options.map((/** @type {any} */ option) => this.option(detail, option)))));
  }

  /** @param {any} game @param {any} option */
  option(game, option) {
    const set = (/** @type {any} */ value) => { if (value === undefined) delete this.options[option.name]; else this.options[option.name] = value; };
    const meaning = h("span.meaning", null, option.text, " ", h("small", null, option.rule));
    if (option.kind === "flag") {
      return h("label.option", { "data-key": option.name }, h("select", { onchange: (/** @type {any} */ turned) => set(turned.target.value === "" ? undefined : turned.target.value === "yes") },
        h("option", { value: "" }, `usual (${option.default ? "yes" : "no"})`), h("option", { value: "yes" }, "yes"), h("option", { value: "no" }, "no")), h("b", null, option.name.replace(/_/g, " ")), meaning);
    }
    if (option.kind === "choice") {
      return h("label.option", { "data-key": option.name }, h("select", { onchange: (/** @type {any} */ turned) => set(turned.target.value === "" ? undefined : JSON.parse(turned.target.value)) },
        h("option", { value: "" }, `usual (${String(option.default).replace(/_/g, " ")})`), option.choices.map((/** @type {any} */ one) => h("option", { value: JSON.stringify(one) }, String(one).replace(/_/g, " ")))), h("b", null, option.name.replace(/_/g, " ")), meaning);
    }
    return h("label.option", { "data-key": option.name }, h("input", {
      type: "text", inputmode: "numeric", placeholder: `usual (${option.default ?? "—"})`,
      oninput: (/** @type {any} */ typed) => set(typed.target.value.trim() === "" ? undefined : option.kind === "numbers" ? typed.target.value.split(/[,\s]+/).filter(Boolean).map(Number) : Number(typed.target.value)),
    }), h("b", null, option.name.replace(/_/g, " ")), meaning);
  }

  /** @param {any} game @param {"bot" | "open"} others */
  async start(game, others) {
    this.trouble = null;
    try {
      this.me = await somebody();
      const rest = Array(this.seats - 1).fill(others === "bot" ? { kind: "bot", level: this.level } : { kind: "open" });
      const made = await post("/v1/matches", { game: game.slug, options: this.options, seats: [{ kind: "me" }, ...rest] });
      if (others === "bot") await post(`/v1/matches/${made.id}/start`);
      this.go(`/matches/${made.id}`);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.trouble = error.message;
      this.draw();
    }
  }

  /** @param {string} title @param {any[]} matches */
  list(title, matches) {
    return h("section.tables", { "data-key": title }, h("h2", null, title), h("ul", null, matches.map((one) => {
      const game = this.games.find((each) => each.slug === one.game);
      const seat = one.seats.findIndex((/** @type {any} */ each) => each.player === this.me?.id);
      const turn = one.to_act?.includes(seat);
      return h("li", { "data-key": one.id }, h("a", { href: `/matches/${one.id}` }, h("b", null, game?.title ?? one.game), " ",
        one.seats.map((/** @type {any} */ each) => each.name ?? "open").join(", "), turn && h("span.tag.yours", null, "your turn")));
    })));
  }
}
