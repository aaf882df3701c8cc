import { systemClock } from "../../../src/clock.js";
import { createSquad } from "../../../src/squad.js";

/**
 * Reads `calls` times with a trace to `file`, and ends as `how` says: `close` (by itself, after close()), `end` (by itself),
 * `exit` (process.exit()), or never (`kill`: it goes on until it is killed). Prints how many records it has made.
 */
const [file = "", how = "", name = "", callsText = "0"] = process.argv.slice(2);
const calls = Number(callsText);

const answer = async (): Promise<Response> =>
  new Response(JSON.stringify({ login: name, bio: "x".repeat(200) }), {
    headers: { "content-type": "application/json; charset=utf-8", "x-github-request-id": "C0DE:1A2B" },
  });
const squad = createSquad({
  agent: name,
  clock: systemClock,
  secondary: false,
  pool: false,
  fetch: answer,
  trace: { file, maxBytes: 262_144, keep: 1_000 },
});

for (let made = 0; how === "kill" || made < calls; made++) {
  const address = `https://api.github.com/users/${name}/${made}`;
  await (await squad.fetch(address, { squad: { operation: `call ${made}` } })).text();
  // Others have their turn, and timers.
  if (made % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  if (how === "kill" && made % 20 === 0) console.log(`made ${made}`);
}
if (how === "close") await squad.close();
console.log(`records ${squad.status().trace?.records}`);
if (how === "exit") process.exit(0);
