import { createProxy } from "octokit-plugin-squad-rate/proxy";

/** The proxy in a process of its own, in front of `argv[2]`, with a client on the socket `argv[3]`; ends with its parent. */
const [, , upstream, socketPath] = process.argv;
const proxy = await createProxy({
  upstream,
  squad: { agent: "bench", secondary: false, pacing: false, light: false, breaker: false, trace: false },
});
const { apiUrl } = await proxy.admit({ agent: "bench", socketPath });
process.send?.({ url: apiUrl });
process.on("disconnect", () => process.exit(0));
process.on("message", () => process.send?.({ rssBytes: process.memoryUsage.rss() }));
