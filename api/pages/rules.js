/** The rules of a game beside the table, with their ids, to be searched. */

import { h, withCode } from "./dom.js";
import { get } from "./server.js";

/** @type {Map<string, Promise<any>>} */
const read = new Map();

/** @param {string} slug @param {string} [cited] */
export async function drawRules(slug, cited) {
  const asked = read.get(slug) ?? get(`/v1/games/${slug}/rules`);
  read.set(slug, asked);
  asked.catch(() => read.delete(slug));
  const { rules } = await asked;
  const list = h("dl.rules", { "data-own": "" }, rules.map((/** @type {any} */ rule) => h("div", null,
    h("dt", { id: `rule-${rule.id}`, class: rule.id === cited ? "cited" : "", tabindex: rule.id === cited ? -1 : null }, h("span.id", null, rule.id), " ", rule.title),
    h("dd", null, withCode(rule.text), rule.source && h("small", null, rule.source)))));
  const count = h("p.found", { role: "status" });
  const find = (/** @type {any} */ typed) => {
    const wanted = typed.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    const entries = /** @type {HTMLElement[]} */ ([...list.children]);
    for (const entry of entries) {
      const text = entry.textContent?.toLowerCase() ?? "";
      entry.hidden = !wanted.every((/** @type {string} */ word) => text.includes(word));
    }
    const left = entries.filter((entry) => !entry.hidden).length;
    count.textContent = wanted.length ? `${left} of ${entries.length} rules` : "";
  };
  return h("div", { "data-key": `rules ${cited ?? ""}`, "data-own": "" },
    h("input", { type: "search", placeholder: "Find a rule", "aria-label": "find a rule", oninput: find }), count, list);
}
