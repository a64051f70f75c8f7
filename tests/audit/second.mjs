// Tells of each file what the verifier in JavaScript finds, one line of JSON a file.
import { openAsBlob } from "node:fs";
import { verify } from "../../api/pages/verify.js";

for (const path of process.argv.slice(2)) {
  const { wrong, checks } = await verify(await openAsBlob(path));
  const ok = Object.fromEntries(Object.entries(checks).map(([kind, check]) => [kind, check.ok]));
  console.log(JSON.stringify({ kind: wrong?.kind ?? null, version: wrong?.version ?? 0, text: wrong?.message ?? "", ok }));
}
