import { Octokit } from "@octokit/core";
import { describe, expect, it } from "vitest";
import { squadRate } from "../../src/index.js";
import { outcomeOf } from "../harness/cache-outcome.js";
import { FORMS, type Reached, reachGitHub } from "./simulated-octokit.js";

/** What differs from one answer to the next of plain Octokit too, our own mark, and how a body was packed for its way. */
const FLEETING = /^(?:date|x-github-request-id|x-ratelimit-.*|x-squad-rate|content-(?:encoding|length))$/;
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff, 0xfe]);
const HELLO = { owner: "mona", repo: "hello" };
const RAW = { accept: "application/vnd.github.raw+json" };

interface Client {
  request(route: string, parameters?: object): Promise<{ status: number; url: string; headers: object; data: unknown }>;
}

interface Desk extends Reached {
  readonly plain: Client;
  readonly ours: Client;
  readonly asset: number;
  readonly release: number;
}

async function setUp(form: (typeof FORMS)[number]): Promise<Desk> {
  const reached = await reachGitHub(form);
  const { github, clock, client } = reached;
  const { world } = github;
  world.addRepository({ owner: "mona", name: "former" });
  world.renameRepository("mona", "former", "latter");
  world.setFile("mona", "hello", "notes/a b.md", "# Notes\n");
  world.setFile("mona", "hello", "logo.png", PNG);
  const { number } = world.addIssue({ ...HELLO, title: "First" });
  world.addNotification("mona", { ...HELLO, number });
  world.addPullRequest({ ...HELLO, title: "Change" });
  const release = world.addRelease({ ...HELLO, tagName: "v1" }).id;
  const plain = new Octokit({ auth: "ghp_mona", ...client });
  const { data } = await plain.request<string>(
    `POST ${reached.client.baseUrl.replace("//api.", "//uploads.")}${form === "over HTTP" ? "/-uploads" : ""}/repos/mona/hello/releases/${release}/assets?name=a.bin`,
    { data: PNG, headers: { "content-type": "application/octet-stream" } },
  );
  // Two searches follow each other; their pace is another matter.
  const squad = { agent: "reader", clock, pacing: false };
  const ours = new (Octokit.plugin(squadRate))({ auth: "ghp_mona", ...client, squad });
  return { ...reached, plain, ours: ours as Client, release, asset: (data as { id: number }).id };
}

/** An answer without what is different each time. A 304 has the strong tag of a body that was sent with a weak one. */
function lasting({ status, url, headers, data }: Awaited<ReturnType<Client["request"]>>): object {
  const kept = Object.entries(headers as Record<string, string>)
    .filter(([name]) => !FLEETING.test(name))
    .map(([name, value]) => [name, name === "etag" ? value.replace(/^W\//, "") : value]);
  return { status, url, data, headers: Object.fromEntries(kept) };
}

const KINDS: readonly {
  readonly what: string;
  readonly route: string;
  readonly parameters?: object | ((desk: Desk) => object);
  readonly outcomes: readonly [string | undefined, string | undefined];
}[] = [
  { what: "an object", route: "GET /repos/{owner}/{repo}", outcomes: ["miss", "revalidated"] },
  { what: "a HEAD", route: "HEAD /repos/{owner}/{repo}", outcomes: [undefined, undefined] },
  {
    what: "a file as JSON, at a path with a space",
    route: "GET /repos/{owner}/{repo}/contents/{path}",
    parameters: { path: "notes/a b.md" },
    outcomes: ["miss", "revalidated"],
  },
  {
    what: "a raw text file",
    route: "GET /repos/{owner}/{repo}/contents/{path}",
    parameters: { path: "notes/a b.md", headers: RAW },
    outcomes: ["miss", "revalidated"],
  },
  {
    what: "a raw file that is no text",
    route: "GET /repos/{owner}/{repo}/contents/{path}",
    parameters: { path: "logo.png", headers: RAW },
    outcomes: [undefined, undefined],
  },
  {
    what: "a diff",
    route: "GET /repos/{owner}/{repo}/pulls/{pull_number}",
    parameters: { pull_number: 2, mediaType: { format: "diff" } },
    outcomes: ["miss", "revalidated"],
  },
  {
    what: "an archive, which another origin sends",
    route: "GET /repos/{owner}/{repo}/tarball/{ref}",
    parameters: { ref: "main" },
    outcomes: [undefined, undefined],
  },
  {
    what: "an asset, which another origin sends",
    route: "GET /repos/{owner}/{repo}/releases/assets/{asset_id}",
    parameters: ({ asset }) => ({ asset_id: asset, headers: { accept: "application/octet-stream" } }),
    outcomes: [undefined, undefined],
  },
  {
    what: "a repository under its former name",
    route: "GET /repos/{owner}/{repo}",
    parameters: { repo: "former" },
    outcomes: ["miss", "revalidated"],
  },
  {
    what: "events, with the interval that GitHub asks for",
    route: "GET /repos/{owner}/{repo}/events",
    outcomes: ["miss", "revalidated"],
  },
  { what: "notifications", route: "GET /notifications", outcomes: ["miss", "revalidated"] },
  { what: "a search", route: "GET /search/issues", parameters: { q: "First" }, outcomes: [undefined, undefined] },
  { what: "the rate limit", route: "GET /rate_limit", outcomes: [undefined, undefined] },
  { what: "no body at all", route: "GET /repos/{owner}/{repo}/zen-of-nothing", outcomes: [undefined, undefined] },
];

describe.each(FORMS)("an answer, GitHub %s", (form) => {
  it.each(KINDS)("is what plain Octokit gets: $what", async ({ route, parameters = {}, outcomes }) => {
    const desk = await setUp(form);
    const given = { ...HELLO, ...(typeof parameters === "function" ? parameters(desk) : parameters) };
    const ask = (client: Client) => client.request(route, given).catch((error: { response: never }) => error.response);
    const seen: (string | undefined)[] = [];
    for (let round = 0; round < 2; round++) {
      const expected = lasting(await ask(desk.plain));
      const answer = await ask(desk.ours);
      expect(lasting(answer)).toEqual(expected);
      seen.push(outcomeOf(answer));
    }
    expect(seen).toEqual(outcomes);
  });

  it("is a stream with parseSuccessResponseBody: false, kept or not", async () => {
    const { ours, github } = await setUp(form);
    const request = { parseSuccessResponseBody: false };
    const texts: string[] = [];
    for (let round = 0; round < 2; round++) {
      const { data } = await ours.request("GET /repos/{owner}/{repo}", { ...HELLO, request });
      expect(data).toBeInstanceOf(ReadableStream);
      texts.push(await new Response(data as ReadableStream).text());
    }
    const archive = await ours.request("GET /repos/{owner}/{repo}/tarball/{ref}", { ...HELLO, ref: "main", request });
    expect(await new Response(archive.data as ReadableStream).text()).toContain("archive of mona/hello");
    expect(JSON.parse(texts[0] ?? "")).toMatchObject({ full_name: "mona/hello" });
    expect(texts[1]).toBe(texts[0]);
    expect(github.log.map(({ status }) => status).slice(-4)).toEqual([200, 304, 302, 200]);
  });

  it("carries the interval at which GitHub wants to be polled, a 304's too", async () => {
    const { ours } = await setUp(form);
    for (let round = 0; round < 2; round++) {
      const { headers } = await ours.request("GET /repos/{owner}/{repo}/events", HELLO);
      expect(headers).toMatchObject({ "x-poll-interval": "60" });
    }
  });

  it("to an upload comes from the uploads host, and the release is asked about anew", async () => {
    const { ours, release, plain } = await setUp(form);
    const freshly = { squad: { cache: { freshForMs: 60_000 } } };
    const read = () =>
      ours.request("GET /repos/{owner}/{repo}/releases/{id}", { ...HELLO, id: release, request: freshly });
    await read();
    expect(outcomeOf(await read())).toBe("fresh");
    const { data } = await plain.request("GET /repos/{owner}/{repo}/releases/{id}", { ...HELLO, id: release });
    const uploaded = await ours.request(`POST ${(data as { readonly upload_url: string }).upload_url}`, {
      name: "b.bin",
      data: PNG,
      headers: { "content-type": "application/octet-stream" },
    });
    expect(uploaded).toMatchObject({ status: 201, data: { name: "b.bin", size: PNG.byteLength } });
    const after = await read();
    expect(outcomeOf(after)).toBe("changed");
    expect((after.data as { readonly assets: unknown[] }).assets).toHaveLength(2);
  });

  it("after a write under a repository's former name is asked about anew", async () => {
    const { ours } = await setUp(form);
    const request = { squad: { cache: { freshForMs: 60_000 } } };
    const read = () => ours.request("GET /repos/{owner}/{repo}/issues", { owner: "mona", repo: "latter", request });
    expect((await read()).data).toEqual([]);
    await ours.request("POST /repos/{owner}/{repo}/issues", { owner: "mona", repo: "former", title: "New" });
    expect((await read()).data).toMatchObject([{ title: "New" }]);
  });
});
