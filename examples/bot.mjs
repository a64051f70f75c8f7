// A bot of your own, with nothing but Node: it plays any legal command, in every game.
//
//     node bot.mjs http://127.0.0.1:8000 checkers         opens a match against the server's bots
//     node bot.mjs http://127.0.0.1:8000 MATCH            joins a match that somebody has opened
//
// PARLOR_TOKEN is the token to play with (`bot:play` is enough to join); without it the bot signs up.

const [server, wanted] = process.argv.slice(2);
let [token, match] = [process.env.PARLOR_TOKEN];
const stop = (text) => { console.error(text); process.exit(1); };
wanted ?? stop("node bot.mjs SERVER GAME-OR-MATCH");

// What an answer says, if there is one. Most are one line, a stream brings a line whenever something happens.
async function* told(method, path, body, more = {}, fine = []) {
  const bearer = token && { Authorization: `Bearer ${token}` };
  const headers = { "Content-Type": "application/json", Accept: "application/x-ndjson, */*;q=0.5", ...bearer, ...more };
  const silent = new AbortController();
  let [alarm, rest, pause] = [undefined, "", 1];
  const listen = () => { clearTimeout(alarm); alarm = setTimeout(() => silent.abort(), 30_000); };
  try {
    listen();
    const answer = await fetch(server + path, { method, headers, signal: silent.signal, body: JSON.stringify(body) });
    if ([429, 502, 503, 504].includes(answer.status)) pause = Number(answer.headers.get("Retry-After") ?? 1);
    else if (fine.includes(answer.status)) return yield { refused: answer.status };
    else if (!answer.ok) stop(`${answer.status}: ${await answer.text()}`);
    else {
      for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
        listen();
        const lines = (rest + piece).split("\n");
        rest = lines.pop();
        for (const line of lines) if (line) yield JSON.parse(line); // an empty line is a sign of life
      }
      if (rest) return yield JSON.parse(rest);
    }
  } catch (trouble) {
    console.error(`Again in a moment: ${trouble.message}`);
  } finally {
    clearTimeout(alarm);
  }
  await new Promise((done) => setTimeout(done, pause * 1000));
}

// However often it takes to get an answer, the key lets the thing be done once.
async function ask(method, path, body, version, fine) {
  const more = { "Idempotency-Key": crypto.randomUUID(), ...(version && { "If-Match": `"${version}"` }) };
  for (;;) for await (const answer of told(method, path, body, more, fine)) return answer;
}

// Secret Seven lists no packets, there are too many: two cards of different suits that make seven, and others.
function filled(template, { pack }) {
  const pairs = pack.flatMap((a) => pack.filter((b) => a[0] < b[0] && +a.slice(2) + +b.slice(2) === 7).map((b) => [a, b]));
  const combo = pairs[Math.floor(Math.random() * pairs.length)];
  const rest = pack.filter((card) => !combo.includes(card)).sort(() => Math.random() - 0.5);
  return { type: template.type, cards: [...combo, ...rest.slice(0, parseInt(template.fill.cards) - 2)], combo };
}

token ||= (await ask("POST", "/v1/players", { name: "Example in JavaScript" })).token;
if (wanted.length === 36) match = await ask("POST", `/v1/matches/${wanted}/join`, { program: true });
else {
  const least = (await ask("GET", `/v1/games/${wanted}`)).seats[0];
  const seats = [{ kind: "me", program: true }, ...Array(least - 1).fill({ kind: "bot" })];
  match = await ask("POST", "/v1/matches", { game: wanted, seats });
  await ask("POST", `/v1/matches/${match.id}/start`, undefined, undefined, [409]); // started, if the first answer was lost
}

let [here, version, result] = [`/v1/matches/${match.id}`];
while (!result) {
  for await (const message of told("GET", `${here}/events?follow=1${version ? `&after=${version}` : ""}`)) {
    version = (message.event ?? message.view)?.version ?? version;
    if ((result = message.result)) break;
    if (!message.legal?.length) continue;
    const last = (one) => 2 * message.asides.includes(one.type) + ("fill" in one);
    const chosen = message.legal.sort(() => Math.random() - 0.5).sort((a, b) => last(a) - last(b))[0];
    const command = chosen.fill ? filled(chosen, (await ask("GET", here)).table) : chosen;
    // A command is judged at the version that it was chosen at. After 412 the stream tells what came between.
    const done = await ask("POST", `${here}/commands`, command, version, [409, 412]);
    if (done.refused === 409) { version = undefined; break; } // another choice may do
  }
}
console.log(JSON.stringify({ match: match.id, you: match.you, result }));
