/** The page of a match: the lobby before it, the table, the story beside it. */

import { gliding, h, morph, show } from "./dom.js";
import { Acting } from "./acting.js";
import { NARROW, withLandings } from "./board.js";
import { dragging } from "./dragging.js";
import { Live } from "./live.js";
import { Scene } from "./scene.js";
import { Away, Problem, get, play, post, somebody, whoIsThere } from "./server.js";
import { drawTable } from "./table.js";

const SHARED = 4; // winners that are named one by one
const SAID = 200; // sentences beside the table; the replay has all

export class MatchPage {
  /** @param {HTMLElement} root @param {string} id */
  constructor(root, id) {
    this.root = root;
    this.id = id;
    /** @type {any} */
    this.game = null;
    /** @type {any} */
    this.board = null;
    /** @type {string | null} */
    this.trouble = null;
    /** @type {any} */
    this.refusal = null;
    this.panel = "story";
    this.told = h("ol.story", null);
    /** @type {any} */
    this.rules = null;
    /** @type {any} */
    this.sheet = null;
    this.sheetOf = ""; // the points that the sheet was drawn with
    this.unfocused = false; // whether what had the focus is gone
    this.mayNotify = window.Notification?.permission; // to ask each time would wait for the browser
    this.mine = false; // whether it was the reader's turn when the page was drawn last
    this.sending = 0; // commands that have not been answered
    this.accepted = 0; // the version that the last of them led to
    // In the fragment of the address, which no server is told.
    this.invitation = location.hash.slice(1) || null;
    /** @type {any[]} */
    this.notes = [];
    this.link = "";
    /** A choice that was begun is given up by Escape, or by a click on the bare table. @param {KeyboardEvent | MouseEvent} done */
    this.letGo = (done) => {
      const bare = done instanceof KeyboardEvent ? done.key === "Escape" : /** @type {Element} */ (done.target).matches(".table, .table .middle, .table .laid, .players, .mine");
      if (!bare || !this.acting?.begun) return;
      this.acting.back();
      this.draw();
    };
    this.turned = () => this.draw();
    this.live = new Live(id, (state, fresh) => this.changed(state, fresh), (trouble) => { this.trouble = trouble; this.draw(); });
  }

  async open() {
    this.me = await whoIsThere();
    this.ticking = setInterval(() => this.tick(), 500);
    this.dropped = dragging(this.root);
    document.addEventListener("keydown", this.letGo);
    NARROW.addEventListener("change", this.turned);
    this.root.addEventListener("click", this.letGo);
    await this.follow();
  }

  /** Who only watches needs no name; whoever is asked for one gets it. @returns {Promise<void>} */
  async follow() {
    try {
      await this.live.run();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === "token_missing" && !this.me) {
        this.me = await somebody();
        return this.follow();
      }
      if (error.status !== 404 || !this.invitation) throw error;
      await this.invited(this.invitation);
    }
  }

  /** The table as an invitation shows it to somebody who has no seat yet. @param {string} code */
  async invited(code) {
    const match = await get(`/v1/matches/${this.id}?invitation=${encodeURIComponent(code)}`);
    this.live.state.match = match;
    await this.changed(this.live.state, false);
  }

  close() {
    clearInterval(this.ticking);
    this.dropped?.();
    document.removeEventListener("keydown", this.letGo);
    NARROW.removeEventListener("change", this.turned);
    this.root.removeEventListener("click", this.letGo);
    this.live.close();
    document.title = "Parlor";
  }

  /** The time that is left to whoever is to act. */
  tick() {
    for (const one of this.root.querySelectorAll("[data-deadline]")) {
      const left = Math.max(0, Date.parse(one.getAttribute("data-deadline") ?? "") - Date.now() - this.live.ahead);
      const seconds = Math.ceil(left / 1000);
      const text = seconds >= 3600 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      if (one.textContent !== text) one.textContent = text;
    }
  }

  /** @param {import("./live.js").State} state @param {boolean} fresh */
  async changed(state, fresh) {
    if (!this.game) {
      const board = state.match.board_href ? get(state.match.board_href) : null;
      [this.game, this.board] = await Promise.all([get(`/v1/games/${state.match.game}`), board]);
      this.acting = new Acting(this.game, (command) => this.send(command), () => this.draw());
    }
    this.offer();
    const mine = state.match.to_act.includes(state.match.you);
    document.title = `${mine ? "● Your turn · " : ""}${this.game.title} · Parlor`;
    if (mine && !this.mine && fresh && document.hidden) this.notify();
    this.mine = mine;
    gliding(this.root, () => this.draw());
    if (this.panel === "scores") this.openScores();
  }

  /** Only when the reader wants it: a browser that asks at once is told no. */
  async askToNotify() {
    this.mayNotify = await Notification.requestPermission();
    this.draw();
  }

  /** Tells somebody who looks elsewhere that it is their turn, if they wanted to be told. */
  notify() {
    if (this.mayNotify !== "granted") return;
    const note = new Notification("Your turn", { body: this.game.title, tag: this.id });
    note.onclick = () => { window.focus(); note.close(); };
  }

  /** Nothing can be done while a command of one's own is on its way, or has been accepted and not been heard of. */
  offer() {
    const { legal, match } = this.live.state;
    this.acting?.reset(this.settled ? legal : [], this.settled ? match.version : -1, match.table);
  }

  get settled() {
    return !this.sending && this.live.state.match.version >= this.accepted;
  }

  /** @param {any} command */
  async send(command) {
    this.refusal = null;
    this.sending += 1;
    this.offer();
    try {
      const answer = await play(this.id, command, (trouble) => { this.trouble = trouble ? "The answer was lost; the move is sent again, and counts once." : null; this.draw(); });
      this.accepted = answer.version;
    } catch (error) {
      this.refuse(error);
    } finally {
      this.sending -= 1;
    }
    this.offer();
    // Otherwise what the stream tells is drawn in a moment, and until then nothing has changed.
    if (this.refusal || this.settled) this.draw();
  }

  /** @param {unknown} error */
  refuse(error) {
    if (!(error instanceof Problem || error instanceof Away)) throw error;
    this.refusal = error;
  }

  /** Takes a seat, by invitation if there is one. @param {number} [seat] */
  async join(seat) {
    const nameless = !this.me;
    try {
      this.me ??= await somebody();
    } catch (error) {
      this.refuse(error);
      return this.draw();
    }
    await this.ask("join", { ...(seat === undefined ? {} : { seat }), ...(this.invitation ? { invitation: this.invitation } : {}) });
    // Until now the match was followed by nobody in particular.
    if (nameless && !this.live.waiting) this.live.anew();
  }

  async invite() {
    try {
      const made = await post(`/v1/matches/${this.id}/invitations`);
      this.link = `${location.origin}/matches/${this.id}#${made.code}`;
      await navigator.clipboard?.writeText(this.link).catch(() => {});
    } catch (error) {
      this.refuse(error);
    }
    this.draw();
  }

  async rematch() {
    try {
      const made = await post(`/v1/matches/${this.id}/rematch`);
      location.assign(`/matches/${made.id}`);
    } catch (error) {
      this.refuse(error);
      this.draw();
    }
  }

  async readNotes() {
    try {
      this.notes = (await get(`/v1/matches/${this.id}/notes`)).notes;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
    this.draw();
  }

  /** @param {any} sent */
  async leaveNote(sent) {
    sent.preventDefault();
    const field = sent.target.elements.text;
    try {
      await post(`/v1/matches/${this.id}/notes`, { text: field.value });
      field.value = "";
    } catch (error) {
      this.refuse(error);
    }
    await this.readNotes();
  }

  /** @param {string} what @param {any} [body] */
  async ask(what, body = {}) {
    this.refusal = null;
    try {
      await post(`/v1/matches/${this.id}/${what}`, body);
      // Who came by invitation can follow the match once they have a seat.
      if (what === "join" && this.live.waiting) this.live.run();
    } catch (error) {
      this.refuse(error);
    }
    this.draw();
  }

  // ── Drawing ─────────────────────────────────────────────────────────────────────────────────────────────────────

  draw() {
    const { match, story, deadlines } = this.live.state;
    if (!match || !this.game || !this.acting) return;
    const acting = this.acting;
    const choices = match.status === "playing" ? withLandings(this.board, match, acting.narrowed ?? acting.choices, acting.schemas) : [];
    const scene = new Scene({
      game: this.game, match, board: this.board, choices, chosen: acting.chosen, deadlines,
      choose: (offered) => acting.choose(offered), back: () => { acting.back(); this.draw(); },
    });
    const table = match.table ? drawTable(scene) : this.lobby(match);
    const wanted = h("div.match", { "data-key": this.id, "data-version": match.version, "data-status": match.status },
      h("div.head", null,
        h("h1", null, this.game.title),
        h("p.status", { role: "status", "aria-live": "polite", class: scene.you !== null && match.to_act.includes(scene.you) ? "yours" : "" }, this.status(scene)),
        this.menu(match)),
      h("p.said", { "aria-live": "polite" }, story[story.length - 1]?.words ?? ""),
      table,
      h("div.below", null, this.refusal && this.refused(), this.kept(match), this.offered(scene), match.status === "over" ? this.result(scene) : acting.bar(scene)),
      this.beside(scene),
      this.trouble && h("p.trouble", { role: "status" }, this.trouble));
    const held = document.activeElement?.closest(".table, .acting") ?? null;
    if (this.root.firstElementChild) morph(this.root.firstElementChild, wanted);
    else show(this.root, wanted);
    this.keepFocus(held !== null);
    // What was fetched once is put there as it is, so that a search in it survives the next card.
    this.tell(story);
    const [kept, shown] = [this.root.querySelector(".kept"), { story: this.told, rules: this.rules, scores: this.sheet }[this.panel]];
    if (kept && shown && kept.firstChild !== shown) kept.replaceChildren(shown);
    this.tick();
  }

  /** The newest sentence first; those that stand there already are left alone. @param {{version: number, words: string}[]} story */
  tell(story) {
    const newest = Number(this.told.firstElementChild?.getAttribute("data-key") ?? 0);
    const oldest = Number(this.told.lastElementChild?.getAttribute("data-key") ?? 0);
    for (const one of story.slice(-SAID)) {
      if (one.version <= newest && one.version >= oldest) continue;
      const line = h("li", { "data-key": `${one.version}` }, h("a", { href: `/matches/${this.id}/replay?at=${one.version}` }, one.words));
      this.told.insertBefore(line, one.version > newest ? this.told.firstChild : this.toldBefore(one.version));
    }
    while (this.told.childElementCount > SAID) this.told.lastElementChild?.remove();
  }

  /** @param {number} version */
  toldBefore(version) {
    return [...this.told.children].find((there) => Number(there.getAttribute("data-key")) < version) ?? null;
  }

  /** Whoever plays by keys goes on where the play is: what had the focus may have been played. @param {boolean} held */
  keepFocus(held) {
    this.unfocused = document.activeElement === document.body && (held || this.unfocused);
    if (!this.unfocused) return;
    const next = /** @type {HTMLElement | null} */ (this.root.querySelector(".mine [data-can]") ?? this.root.querySelector(".table [data-can], .acting [data-command]"));
    next?.focus({ preventScroll: true });
  }

  /** @param {Scene} scene */
  status(scene) {
    const { match } = scene;
    if (match.status === "open") return "waiting for players";
    if (match.status === "over") return "the match is over";
    if (!match.to_act.length) return "waiting";
    if (match.to_act.includes(scene.you)) return match.to_act.length > 1 ? "you and others are to act" : "your turn";
    return `waiting for ${match.to_act.map((/** @type {number} */ seat) => scene.name(seat)).join(", ")}`;
  }

  /** @param {any} match */
  menu(match) {
    const seated = match.you !== null;
    const playing = match.status === "playing";
    return h("nav.menu", { "aria-label": "match" },
      seated && playing && this.mayNotify === "default" &&
        h("button.quiet", { title: "when it is your turn and this page is not in sight", onclick: () => this.askToNotify() }, "Notify me"),
      seated && playing && !match.draw_offer && h("button.quiet", { onclick: () => this.ask("draw", { action: "offer" }) }, "Offer a draw"),
      seated && playing && h("button.quiet", { onclick: () => window.confirm("Give up this match?") && this.ask("resign") }, "Resign"),
      h("a.button.quiet", { href: `/matches/${this.id}/replay` }, "Replay"));
  }

  refused() {
    const { rule, message } = this.refusal;
    return h("div.refusal", { role: "alert" }, h("p", null, message), rule && h("p", null,
      h("button.link", { onclick: () => this.openRules(rule.id) }, `${rule.id} ${rule.title}`)),
      h("button.quiet", { "aria-label": "close", onclick: () => { this.refusal = null; this.draw(); } }, "×"));
  }

  /** Whoever was away too long finds a bot in the seat, and may have it back. @param {any} match */
  kept(match) {
    const seat = match.you === null ? null : match.seats[match.you];
    if (match.status !== "playing" || seat?.kind !== "bot" || seat.resigned) return null;
    return h("p.offer.away-note", null, "A bot keeps your seat, since your time ran out too often. ",
      h("button.primary", { onclick: () => this.ask("return") }, "Take your seat back"));
  }

  /** @param {Scene} scene */
  offered(scene) {
    const offer = scene.match.draw_offer;
    if (!offer || scene.you === null || scene.match.status !== "playing") return null;
    if (offer.seat === scene.you) return h("p.offer", null, "You offer a draw. ", h("button.link", { onclick: () => this.ask("draw", { action: "withdraw" }) }, "Withdraw it"));
    if (offer.agreed.includes(scene.you)) return null;
    return h("p.offer", null, `${scene.name(offer.seat)} offers a draw. `,
      h("button", { onclick: () => this.ask("draw", { action: "accept" }) }, "Accept"),
      h("button", { onclick: () => this.ask("draw", { action: "decline" }) }, "Decline"));
  }

  /** @param {Scene} scene */
  result(scene) {
    const { result, seats, table } = scene.match;
    const { story } = this.live.state; // its last sentence is the end
    const points = result.scores.length ? table?.totals ?? result.scores : []; // in Checkers scores are in half points
    const order = [...seats.keys()].sort((a, b) => (result.places[a] ?? a) - (result.places[b] ?? b));
    const winners = result.winners.map((/** @type {number} */ seat) => (seat === scene.you ? "You" : scene.name(seat)));
    const won = winners.length > SHARED ? `${winners.length} players share the first place` : `${winners.join(" and ")} won`;
    return h("div.result", null, h("h2", null, winners.length === 0 ? "No winner" : winners.length === seats.length ? "A draw" : won),
      h("p", null, story[story.length - 1]?.words ?? ""),
      result.places.length > 0 && h("ol.places", null, order.map((seat) => h("li", { class: seat === scene.you ? "you" : "" },
        h("b", null, `${result.places[seat]}.`), seats[seat].name, h("span.figure", null, points[seat] ?? "")))),
      h("p.line", null,
        scene.you !== null && (scene.match.rematch ? h("a.button.primary", { href: `/matches/${scene.match.rematch}` }, "To the rematch") : h("button.primary", { onclick: () => this.rematch() }, "Rematch")),
        h("a.button", { href: `/matches/${this.id}/replay` }, "Look through it"), h("a.button", { href: `/verify?match=${this.id}` }, "Verify it"), h("a.button.quiet", { href: "/" }, "Other games")));
  }

  /** @param {any} match */
  lobby(match) {
    const host = match.host === this.me?.id;
    const full = match.seats.every((/** @type {any} */ seat) => seat.kind !== "open");
    return h("div.lobby", null,
      h("ul", null, match.seats.map((/** @type {any} */ seat) => h("li", { "data-key": `${seat.seat}` },
        h("b", null, seat.name ?? "open seat"), seat.level && h("span.tag", null, seat.level),
        seat.kind === "open" && match.you === null && h("button", { onclick: () => this.join(seat.seat) }, "Sit down"),
        host && seat.kind === "human" && seat.player !== this.me.id && h("button.link", { onclick: () => this.ask("kick", { seat: seat.seat }) }, "Send away")))),
      match.you === null && !full && h("button.primary", { onclick: () => this.join() }, "Join"),
      host && !full && (this.link ? h("p", null, "Send this link to whoever you want at the table: ", h("code", null, this.link)) : h("button", { onclick: () => this.invite() }, "Make an invitation link")),
      host && h("button.primary", { disabled: !full, onclick: () => this.ask("start") }, full ? "Start" : "Waiting for players"),
      match.you !== null && h("button", { onclick: () => this.ask("leave") }, "Leave"),
      host && h("button.quiet", { onclick: () => this.ask("cancel") }, "Cancel"));
  }

  // ── Beside the table ────────────────────────────────────────────────────────────────────────────────────────────

  /** @param {Scene} scene */
  beside(scene) {
    const noted = scene.you !== null && scene.match.notes && scene.match.status !== "playing";
    const tabs = [["story", "Story"], ["rules", "Rules"], ...(scene.match.table ? [["scores", "Scores"]] : []), ...(noted ? [["notes", "Notes"]] : [])];
    return h("aside.beside", null,
      h("div.tabs", { role: "tablist" }, tabs.map(([name, title]) => h("button", {
        role: "tab", id: `tab-${name}`, "aria-selected": String(this.panel === name), "aria-controls": "panel",
        onclick: () => this.turnTo(name),
      }, title))),
      h("div.panel", { id: "panel", role: "tabpanel", "aria-labelledby": `tab-${this.panel}`, tabindex: 0 },
        this.panel === "notes" ? this.noteBook(scene) : h("div.kept", { "data-key": this.panel, "data-own": "" })));
  }

  /** @param {Scene} scene */
  noteBook(scene) {
    return h("div.notes", { "data-key": "notes" },
      h("ol.story", null, this.notes.map((one) => h("li", null, h("b", null, scene.match.seats[one.seat]?.name ?? "the host"), " ", one.text))),
      h("form.line", { onsubmit: (/** @type {any} */ sent) => this.leaveNote(sent) },
        h("input", { name: "text", maxlength: 280, required: true, placeholder: "a note for the others", "aria-label": "a note for the others" }), h("button", null, "Send")));
  }

  /** @param {string} name */
  turnTo(name) {
    if (name === "rules") {
      this.openRules();
      return;
    }
    this.panel = name;
    if (name === "notes") this.readNotes();
    if (name === "scores") this.openScores();
    this.draw();
  }

  /** The sheet is asked for again when the points have changed. */
  async openScores() {
    const { match } = this.live.state;
    const points = JSON.stringify([match.table?.totals ?? match.table?.side_totals, match.status]);
    if (points === this.sheetOf) return;
    this.sheetOf = points;
    const { drawSheet } = await import("./sheet.js");
    this.sheet = await drawSheet(this.id, match.seats.map((/** @type {any} */ seat) => seat.name ?? "")).catch(() => null);
    this.draw();
  }

  /** @param {string} [id] of the rule to show */
  async openRules(id) {
    this.panel = "rules";
    const { drawRules } = await import("./rules.js");
    this.rules = await drawRules(this.game.slug, id);
    this.draw();
    if (id) document.getElementById(`rule-${id}`)?.scrollIntoView({ block: "center" });
  }
}
