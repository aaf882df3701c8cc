import type { Contestant } from "./rounds.js";
import { createStubGithub, STUB_HEADERS } from "./stub-github.js";

const URL = "https://api.github.com/repos/octocat/hello-world/commits";

/** What of every figure is the stub's: a 304 has no body and is cheaper to make than the 200 that it stands for. */
export function stubAlone(body: string, calls: number): readonly Contestant[] {
  const { fetch, etag } = createStubGithub(body);
  const plain = { method: "GET", headers: STUB_HEADERS };
  const conditional = { method: "GET", headers: { ...STUB_HEADERS, "if-none-match": etag } };
  const contestant = (name: string, call: () => Promise<unknown>): Contestant => ({
    name,
    calls,
    async run(wanted) {
      for (let made = 0; made < wanted; made++) await call();
    },
  });
  return [
    contestant("200", () => fetch(URL, plain)),
    contestant("200 with its text read", async () => (await fetch(URL, plain)).text()),
    contestant("304", () => fetch(URL, conditional)),
  ];
}
