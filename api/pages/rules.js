/** The rules of a game beside the table, with their ids, to be searched. */

import { h } from "./dom.js";
import { get } from "./server.js";

/** @param {string} slug @param {string} [cited] */
export async function drawRules(slug, cited) {
  const { rules } = await get(`/v1/games/${slug}/rules`);
  const list = h("dl.rules", { "data-own": "" }, rules.map((/** @type {any} */ rule) => [
    h("dt", { id: `rule-${rule.id}`, class: rule.id === cited ? "cited" : "" }, h("span.id", null, rule.id), " ", rule.title),
    h("dd", null, rule.text, rule.source && h("small", null, rule.source)),
  ]));
  const find = (/** @type {any} */ typed) => {
    const wanted = typed.target.value.toLowerCase();
    for (const term of list.querySelectorAll("dt")) {
      const text = term.nextElementSibling;
      const hidden = !`${term.textContent} ${text?.textContent}`.toLowerCase().includes(wanted);
      term.hidden = hidden;
      if (text) /** @type {HTMLElement} */ (text).hidden = hidden;
    }
  };
  return h("div", { "data-key": `rules ${cited ?? ""}` },
    h("input", { type: "search", placeholder: "Find a rule", "aria-label": "find a rule", oninput: find }), list);
}
