// Plays a match by clicks alone, as somebody who tries whatever the page offers, until it is over or so many were made.
// What is offered is what can be clicked: a thing on the table, or a button below it.
async (given) => {
  const [seed, most = Infinity] = [given].flat();
  let state = seed;
  const below = (n) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor((state / 2 ** 32) * n); };
  const any = (all) => all[below(all.length)];
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const told = { clicks: 0, refusals: [], types: [] };
  const click = (one) => { told.clicks += 1; one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })); };
  const match = () => document.querySelector(".match");

  // A packet of Secret Seven is filled in as its sentence says: so many cards, and among them numbers that make seven.
  const fill = async () => {
    const [cards, combo] = [0, 1].map((n) => () => [...document.querySelectorAll(".filling fieldset")[n].querySelectorAll("button")]);
    const wanted = Number(/\d+/.exec(document.querySelector(".filling legend").textContent)[0]);
    const of = (button) => button.dataset.card.split("-");
    const low = cards().filter((one) => of(one)[1] === "3")[0];
    const high = cards().filter((one) => of(one)[1] === "4" && of(one)[0] !== of(low)[0])[0];
    const names = [low, high].map((one) => one.dataset.card);
    const rest = cards().map((one) => one.dataset.card).filter((one) => !names.includes(one)).slice(0, wanted - 2);
    for (const name of [...names, ...rest]) { click(cards().find((one) => one.dataset.card === name)); await pause(10); }
    for (const name of names) { click(combo().find((one) => one.dataset.card === name)); await pause(10); }
    click(document.querySelector(".filling [data-command]"));
  };

  for (let idle = 0; match()?.dataset.status !== "over" && idle < 3000 && told.clicks < most; idle += 1) {
    const refusal = document.querySelector(".refusal");
    if (refusal) { told.refusals.push(refusal.textContent); click(refusal.querySelector("[aria-label=close]")); }
    if (document.querySelector(".filling")) { await fill(); await pause(30); continue; }
    const offered = [...document.querySelectorAll(".table [data-can], .acting [data-command]")].filter((one) => !one.classList.contains("quiet") && !one.closest(".quiet"));
    if (!offered.length) { await pause(10); continue; }
    idle = 0;
    const chosen = any(offered);
    told.types.push(chosen.dataset.can ?? chosen.dataset.command);
    click(chosen);
    await pause(5);
  }
  told.status = match()?.dataset.status;
  return told;
}
