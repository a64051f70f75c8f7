/** Who this browser is: the name, the way back after a loss, the tokens, and the end of the account. */

import { h, show } from "./dom.js";
import { Away, Problem, get, post, request, somebody, token } from "./server.js";

const HOURS = { "an hour": 3600, "a day": 86400, "a month": 2592000, "for ever": null };

/** @param {string} told */
const moment = (told) => new Date(told).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

export class AccountPage {
  /** @param {HTMLElement} root @param {(path: string) => void} go */
  constructor(root, go) {
    this.root = root;
    this.go = go;
    /** @type {any[]} */
    this.tokens = [];
    this.code = "";
    this.fresh = "";
    this.said = "";
    this.done = "";
  }

  async open() {
    this.me = await somebody();
    await this.refresh();
  }

  close() {}

  async refresh() {
    [this.me, { tokens: this.tokens }] = await Promise.all([get("/v1/me"), get("/v1/tokens")]);
    this.draw();
  }

  /** Does something, and says what came of it. @param {() => Promise<void>} what */
  async try(what) {
    this.said = this.done = "";
    try {
      await what();
    } catch (error) {
      if (!(error instanceof Problem || error instanceof Away)) throw error;
      this.said = error.message;
    }
    this.draw();
  }

  draw() {
    show(this.root, h("div.account", { "data-key": "account" },
      h("h1", null, "Your account"),
      h("p", null, h("a", { href: `/players/${this.me.id}` }, "Your ratings and matches")),
      this.said && h("p.trouble", { role: "alert" }, this.said),
      this.done && h("p.done", { role: "status" }, this.done),
      h("section", null, h("h2", null, "Name"), h("form.line", { onsubmit: (/** @type {any} */ sent) => this.rename(sent) },
        h("input", { name: "name", value: this.me.name, maxlength: 40, required: true, "aria-label": "your name", autocomplete: "nickname" }), h("button.primary", null, "Change"))),
      h("section", null, h("h2", null, "Recovery code"),
        h("p", null, "The token in this browser is the only key to your account. With a recovery code you get back to it from anywhere."),
        this.code ? h("p", null, "Write these down, the code is not shown again: player ", h("code", null, this.me.id), ", code ", h("code", null, this.code))
          : h("button", { onclick: () => this.try(async () => { this.code = (await post("/v1/me/recovery")).recovery_code; }) }, "Get a new code"),
        h("details", null, h("summary", null, "Come back to another account"), h("form.line", { onsubmit: (/** @type {any} */ sent) => this.recover(sent) },
          h("input", { name: "player", placeholder: "player", "aria-label": "the player's id", required: true }), h("input", { name: "code", placeholder: "code", "aria-label": "the recovery code", required: true, autocomplete: "off" }), h("button", null, "Come back")))),
      this.keys(),
      h("section", null, h("h2", null, "Leave for good"),
        h("p", null, "Deleting the account takes your name off every match and gives up those that are on. It cannot be undone."),
        h("button.danger", { onclick: () => this.remove() }, "Delete the account"))));
  }

  /** The tokens: what each may do, how long, and when it was used. */
  keys() {
    const good = this.tokens.filter((one) => !one.revoked_at);
    return h("section", null, h("h2", null, "Tokens"), h("p", null, "For bots and other devices. Revoking one revokes all that it made."),
      this.fresh && h("p", { role: "status" }, "Copy it now, it is not shown again: ", h("code", null, this.fresh)),
      h("div.scrolled", { tabindex: 0, role: "region", "aria-label": "tokens" }, h("table.grid.tokens", null,
        h("thead", null, h("tr", null, ["label", "allows", "made", "expires", "last used", "actions"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", null, good.map((one) => h("tr", { "data-key": one.id },
          h("td", null, one.label || "without a label", " ", one.id === this.me.token_id && h("span.tag", null, "this browser")), h("td", { "data-name": "allows" }, h("small", null, one.scopes.join(", "))),
          h("td", { "data-name": "made" }, moment(one.created_at)), h("td", { "data-name": "expires" }, one.expires_at ? moment(one.expires_at) : "never"), h("td", { "data-name": "last used" }, one.last_used_at ? moment(one.last_used_at) : "not yet"),
          h("td", null, h("button.link", { onclick: () => this.rotate(one) }, "Rotate"), one.id !== this.me.token_id && h("button.link", { onclick: () => this.revoke(one) }, "Revoke"))))))),
      h("form.line", { onsubmit: (/** @type {any} */ sent) => this.issue(sent) },
        h("input", { name: "label", placeholder: "label", "aria-label": "label", maxlength: 40 }),
        h("label", null, "for ", h("select", { name: "for" }, ["a bot", "another device"].map((one) => h("option", null, one)))),
        h("label", null, "good for ", h("select", { name: "lasts" }, Object.keys(HOURS).reverse().map((one) => h("option", null, one)))), h("button", null, "Make a token")));
  }

  /** A new secret in place of the old one; this browser's own is kept where it was. @param {any} one */
  rotate(one) {
    return this.try(async () => {
      const fresh = (await post(`/v1/tokens/${one.id}/rotate`)).token;
      if (one.id === this.me.token_id) token.set(fresh);
      this.fresh = one.id === this.me.token_id ? "" : fresh;
      await this.refresh();
    });
  }

  /** @param {any} one */
  revoke(one) {
    return this.try(async () => {
      await request("DELETE", `/v1/tokens/${one.id}`);
      await this.refresh();
    });
  }

  /** @param {any} sent */
  rename(sent) {
    sent.preventDefault();
    return this.try(async () => {
      this.me = await request("PATCH", "/v1/me", { name: sent.target.elements.name.value });
      this.done = "The name is changed.";
    });
  }

  /** @param {any} sent */
  recover(sent) {
    sent.preventDefault();
    const { player, code } = sent.target.elements;
    return this.try(async () => {
      const found = await post("/v1/recover", { player: player.value.trim(), code: code.value.trim() });
      token.set(found.token);
      this.code = found.recovery_code ?? "";
      await this.refresh();
    });
  }

  /** @param {any} sent */
  issue(sent) {
    sent.preventDefault();
    const { label, lasts, for: whom } = sent.target.elements;
    const scopes = whom.value === "a bot" ? ["bot:play"] : this.me.scopes.filter((/** @type {string} */ one) => one !== "token:manage");
    const expires = HOURS[/** @type {keyof typeof HOURS} */ (lasts.value)];
    return this.try(async () => {
      this.fresh = (await post("/v1/tokens", { label: label.value, scopes, ...(expires ? { expires_in: expires } : {}) })).token;
      await this.refresh();
    });
  }

  async remove() {
    if (!window.confirm("Delete this account for good?")) return;
    await this.try(async () => {
      await request("DELETE", "/v1/me");
      token.forget();
      this.go("/");
    });
  }
}
