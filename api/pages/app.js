/** The pages of the table and the way between them. */

import { h, show } from "./dom.js";
import { FrontPage } from "./front.js";
import { MatchPage } from "./match.js";
import { Away, Problem, sleep } from "./server.js";

/** Pages that few open are fetched when they are. */
const people = () => import("./people.js");

/** @typedef {{open(): Promise<void>, close(): void}} Page */

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
let place = h("div"); // of the page that is shown; whatever one that was left still draws is seen nowhere
/** @type {Page | null} */
let shown = null;

/** @type {[RegExp, (...found: string[]) => Page | Promise<Page>][]} */
const PAGES = [
  [/^\/$/, () => new FrontPage(place, go)],
  [/^\/matches\/([0-9a-f-]{36})$/, (id) => new MatchPage(place, id)],
  [/^\/account$/, async () => new (await import("./account.js")).AccountPage(place, go)],
  [/^\/leaderboards(?:\/([a-z-]+))?$/, async (slug) => new (await people()).LeadersPage(place, go, slug)],
  [/^\/players\/([0-9a-f-]{36})$/, async (id) => new (await people()).PlayerPage(place, id)],
  [/^\/verify$/, async () => new (await import("./verifying.js")).VerifyPage(place)],
  [/^\/matches\/([0-9a-f-]{36})\/replay$/, async (id) => new (await import("./replay.js")).ReplayPage(place, id, go)],
];

/** @param {string} path */
function go(path) {
  history.pushState(null, "", path);
  window.scrollTo(0, 0);
  open();
}

async function open() {
  shown?.close();
  shown = null;
  place = h("div");
  root.replaceChildren(place);
  const path = location.pathname;
  for (const [pattern, make] of PAGES) {
    const found = pattern.exec(path);
    if (!found) continue;
    const here = place;
    const page = await make(...found.slice(1));
    if (place !== here) return;
    shown = page;
    for (let pause = 500; shown === page; pause = Math.min(2 * pause, 5000)) {
      try {
        await page.open();
        return;
      } catch (error) {
        if (shown !== page) return;
        if (!(error instanceof Away)) return fail(error);
        show(place, h("section.away", { "data-key": "away" }, h("h1", null, "The server is away"), h("p", null, "This page comes back by itself.")));
        await sleep(pause);
      }
    }
    return;
  }
  show(place, h("section.away", null, h("h1", null, "No such page"), h("p", null, h("a", { href: "/" }, "To the games"))));
}

/** @param {unknown} error */
function fail(error) {
  const told = error instanceof Problem ? error.message : String(error);
  show(place, h("section.away", null, h("h1", null, "That did not work"), h("p", null, told), h("p", null, h("a", { href: "/" }, "To the games"))));
  if (!(error instanceof Problem)) throw error;
}

document.addEventListener("click", (click) => {
  const link = /** @type {Element} */ (click.target).closest?.("a[href^='/']");
  if (!link || click.ctrlKey || click.metaKey || click.shiftKey || link.hasAttribute("data-plain")) return;
  const path = /** @type {string} */ (link.getAttribute("href"));
  if (path.startsWith("/docs") || path.startsWith("/v1")) return;
  click.preventDefault();
  go(path);
});
window.addEventListener("popstate", () => open());
open();
