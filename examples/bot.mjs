// A bot of your own, with nothing but Node: it plays any legal command, in every game.
//
//     node bot.mjs http://127.0.0.1:8000 checkers         opens a match against the server's bots
//     node bot.mjs http://127.0.0.1:8000 MATCH            joins a match that somebody has opened
//
// PARLOR_TOKEN is the token to play with (`bot:play` is enough to join); without it the bot signs up.

const [server, wanted] = process.argv.slice(2);
let token = process.env.PARLOR_TOKEN;

const sleep = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
const any = (list) => list[Math.floor(Math.random() * list.length)];
const stop = (text) => { console.error(text); process.exit(1); };

// The status and the body of an answer. What got none, or came too early, is sent again as it was.
async function ask(method, path, body, more = {}) {
  const headers = { "Content-Type": "application/json", ...more };
  if (token) headers.Authorization = `Bearer ${token}`;
  for (;;) {
    try {
      const signal = AbortSignal.timeout(40_000);
      const answer = await fetch(server + path, { method, headers, signal, body: body && JSON.stringify(body) });
      const text = await answer.text();
      if (answer.status !== 429 && answer.status !== 503)
        return { status: answer.status, body: text ? JSON.parse(text) : null };
      await sleep(Number(answer.headers.get("Retry-After") ?? 1));
    } catch {
      await sleep(1); // nobody knows whether it arrived: a command has a key, so that it is played once
    }
  }
}

async function must(asked) {
  const { status, body } = await asked;
  return status < 300 ? body : stop(`${status}: ${JSON.stringify(body)}`);
}

// Secret Seven lists no packets, there are too many: two cards of different suits that make seven, and others.
function filled(template, { pack }) {
  const pairs = pack.flatMap((a) => pack.filter((b) => a[0] < b[0] && +a.slice(2) + +b.slice(2) === 7).map((b) => [a, b]));
  const combo = any(pairs);
  const rest = pack.filter((card) => !combo.includes(card)).sort(() => Math.random() - 0.5);
  const size = parseInt(template.fill.cards);
  return { type: template.type, cards: [...combo, ...rest.slice(0, size - 2)], combo };
}

token ??= (await must(ask("POST", "/v1/players", { name: "Example in JavaScript" }))).token;
let match = wanted;
if (wanted.length === 36) await must(ask("POST", `/v1/matches/${match}/join`, { program: true }));
else {
  const least = (await must(ask("GET", `/v1/games/${wanted}`))).seats[0];
  const seats = [{ kind: "me", program: true }, ...Array(least - 1).fill({ kind: "bot" })];
  match = (await must(ask("POST", "/v1/matches", { game: wanted, seats }))).id;
  await must(ask("POST", `/v1/matches/${match}/start`));
}

const [here, nothing] = [`/v1/matches/${match}`, { commands: [] }];
let [view, legal] = [{ status: "open", version: 0 }, nothing];
while (view.status !== "over") {
  if (!legal.commands.length) {
    const looked = await ask("GET", `${here}?wait=25&after=${view.version}`); // as soon as there is more; if not, 304
    if (looked.status === 200) view = looked.body;
    const due = looked.status === 200 && view.to_act.includes(view.you);
    legal = due ? await must(ask("GET", `${here}/legal`)) : nothing;
    continue;
  }
  const playing = legal.commands.filter((one) => !legal.asides.includes(one.type));
  const commands = playing.length ? playing : legal.commands;
  const chosen = any(commands.some((one) => !one.fill) ? commands.filter((one) => !one.fill) : commands);
  const command = chosen.fill ? filled(chosen, view.table) : chosen;
  // Judged at the version that it was chosen at. 409 and 412 mean that it came too late: look again, choose again.
  const sent = { "If-Match": `"${legal.version}"`, "Idempotency-Key": crypto.randomUUID(), Prefer: "return=representation" };
  const { status, body } = await ask("POST", `${here}/commands`, command, sent);
  if (![200, 409, 412].includes(status)) stop(`${status}: ${JSON.stringify(body)}`);
  view = status === 200 ? body.view : { ...view, version: 0 };
  legal = status === 200 && view.to_act.includes(view.you) ? body.legal : nothing;
}
console.log(JSON.stringify({ match, you: view.you, result: view.result }));
