// A player made of the generated client, as `playing.py` is in Python: it plays whole matches of three games through
// their streams, typed all the way.
//
// `make clients` compiles it beside the client that it generated, and runs it with the address of a server.

import {
  getMatchesMatchIdEvents,
  postMatches,
  postMatchesMatchIdCommands,
  postMatchesMatchIdStart,
  postPlayers,
} from "./hey";
import type { Command, EventMessage, MatchMessage, NewMatch, ProblemDetails, ViewMessage } from "./hey";
import { type Client, createClient } from "./hey/client";

// All that is needed of Node, whose types are in a package of their own.
declare const process: { argv: string[]; exit(code: number): never };

const SEATS: NewMatch["seats"] = [
  { kind: "me", program: true },
  { kind: "bot", level: "random" },
];
const TABLES: NewMatch[] = [
  { game: "quenette", options: { hands: 1 }, seats: SEATS },
  { game: "checkers", seats: SEATS },
  { game: "backgammon", seats: SEATS },
];

class Failed extends Error {}

function well<T>(answer: { data?: T; error?: ProblemDetails }): T {
  if (answer.data === undefined) throw new Failed(`${answer.error?.code}: ${answer.error?.detail}`);
  return answer.data;
}

async function* follow(client: Client, match: string): AsyncGenerator<MatchMessage> {
  const headers = { Accept: "application/x-ndjson" };
  const asked = { client, path: { match_id: match }, query: { follow: true }, headers, parseAs: "stream" } as const;
  const { response } = await getMatchesMatchIdEvents(asked);
  if (!response?.ok || !response.body) throw new Failed(`the stream is answered with ${response?.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) yield JSON.parse(line) as MatchMessage;
  }
}

/** The first command of a turn that moves the match on and can be sent as it is, if it is our turn. */
function chosen({ legal = [], asides = [] }: ViewMessage | EventMessage): Command | undefined {
  for (const one of legal) if (!("fill" in one) && !asides.includes(one.type)) return one;
  return undefined;
}

/** Plays a match to its end against a bot; the number of commands that were sent. */
async function play(client: Client, table: NewMatch): Promise<number> {
  const opened = await postMatches({ client, body: table, headers: { "Idempotency-Key": crypto.randomUUID() } });
  const match = well(opened).id;
  well(await postMatchesMatchIdStart({ client, path: { match_id: match } }));
  let sent = 0;
  for await (const message of follow(client, match)) {
    if (message.kind === "end") return sent;
    if (message.kind === "bye") break;
    const version = message.kind === "view" ? message.view.version : message.event.version;
    const command = chosen(message);
    if (command === undefined) continue;
    const headers = { "Idempotency-Key": crypto.randomUUID(), "If-Match": `"${version}"` };
    const done = await postMatchesMatchIdCommands({ client, path: { match_id: match }, body: command, headers });
    if (done.error?.code !== "stale_version") well(done);
    sent += 1;
  }
  throw new Failed("the stream ended before the match");
}

async function main(): Promise<void> {
  const baseUrl = process.argv[2] ?? "";
  const signed = well(await postPlayers({ client: createClient({ baseUrl }), body: { name: "Generated" } }));
  const client = createClient({ baseUrl, auth: signed.token });
  for (const table of TABLES) console.log(`${table.game}: over after ${await play(client, table)} commands`);
}

main().catch((error) => {
  console.log(error);
  process.exit(1);
});
