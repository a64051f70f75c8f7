// Plays a match by clicks alone, as somebody who tries whatever the page offers, until it is over or so many were made.
// What is offered is what can be clicked: a thing on the table, or a button below it.
async (given) => {
  const [seed, most = Infinity] = [given].flat();
  let state = seed;
  const below = (n) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor((state / 2 ** 32) * n); };
  const any = (all) => all[below(all.length)];
  const told = { clicks: 0, refusals: [], types: [] };
  const click = (one) => { told.clicks += 1; one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })); };
  const match = () => document.querySelector(".match");
  const over = () => match()?.dataset.status === "over";

  // The page gets its turn after each click; where it offers nothing it is waited for until it changes.
  const line = new MessageChannel();
  const turn = () => new Promise((done) => { line.port1.onmessage = done; line.port2.postMessage(null); });
  const change = () => new Promise((done) => {
    const ended = (changed) => { eye.disconnect(); clearTimeout(patience); done(changed); };
    const eye = new MutationObserver(() => ended(true));
    const patience = setTimeout(() => ended(false), 30_000);
    eye.observe(document.body, { subtree: true, childList: true, attributes: true });
  });

  // A packet of Secret Seven is filled in as its sentence says: so many cards, and among them numbers that make seven.
  const fill = async () => {
    const [cards, combo] = [0, 1].map((n) => () => [...document.querySelectorAll(".filling fieldset")[n].querySelectorAll("button")]);
    const wanted = Number(/\d+/.exec(document.querySelector(".filling legend").textContent)[0]);
    const of = (button) => button.dataset.card.split("-");
    const low = cards().filter((one) => of(one)[1] === "3")[0];
    const high = cards().filter((one) => of(one)[1] === "4" && of(one)[0] !== of(low)[0])[0];
    const names = [low, high].map((one) => one.dataset.card);
    const rest = cards().map((one) => one.dataset.card).filter((one) => !names.includes(one)).slice(0, wanted - 2);
    for (const name of [...names, ...rest]) { click(cards().find((one) => one.dataset.card === name)); await turn(); }
    for (const name of names) { click(combo().find((one) => one.dataset.card === name)); await turn(); }
    click(document.querySelector(".filling [data-command]"));
  };

  // Nobody looks while it is clicked this fast, and painting would take half of the time.
  const page = document.querySelector("main");
  page.style.contentVisibility = "hidden";
  while (!over() && told.clicks < most) {
    const refusal = document.querySelector(".refusal");
    if (refusal) { told.refusals.push(refusal.textContent); click(refusal.querySelector("[aria-label=close]")); }
    const offered = [...document.querySelectorAll(".table [data-can], .acting [data-command]")].filter((one) => !one.closest(".quiet"));
    if (document.querySelector(".filling")) await fill();
    else if (offered.length) {
      const chosen = any(offered);
      told.types.push(chosen.dataset.can ?? chosen.dataset.command);
      click(chosen);
    } else if (!(await change())) break;
    await turn();
  }
  page.style.contentVisibility = "";
  told.status = match()?.dataset.status;
  return told;
}
