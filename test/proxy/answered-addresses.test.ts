import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ProxyOptions } from "../../src/proxy/index.js";
import { anUpstream, aProxy, ask } from "./desk.js";

const USER = {
  url: "https://api.github.com/user",
  html_url: "https://github.com/mona",
  bio: "https://api.github.com/user",
};

async function setUp(
  handle: (incoming: IncomingMessage, response: ServerResponse) => void,
  options: ProxyOptions = {},
) {
  const upstream = await anUpstream(handle);
  const proxy = await aProxy({ upstream: upstream.url, ...options });
  return { ...(await proxy.admit({})), upstream };
}

const json = { "content-type": "application/json; charset=utf-8" };

describe("an answer at a base URL", () => {
  it("leads from page to page, and from a former name to the present one, by the same base URL", async () => {
    const { apiUrl, rootedApiUrl } = await setUp((incoming, response) => {
      const link = '<https://api.github.com/a?page=2>; rel="next", <https://api.github.com/a?page=9>; rel="last"';
      if (incoming.url === "/a") response.writeHead(200, { link }).end();
      else response.writeHead(301, { location: "https://api.github.com/repositories/1" }).end();
    });
    for (const root of [apiUrl, rootedApiUrl]) {
      expect((await ask(`${root}/a`)).headers.link).toBe(
        `<${root}/a?page=2>; rel="next", <${root}/a?page=9>; rel="last"`,
      );
      expect((await ask(`${root}/b`)).headers.location).toBe(`${root}/repositories/1`);
    }
  });

  it("leads there from the name of what stands in for GitHub too", async () => {
    const { apiUrl, upstream } = await setUp((incoming, response) => {
      response.writeHead(302, { location: `http://${incoming.headers["x-host"]}/user` }).end();
    });
    const { host } = new URL(upstream.url);
    expect((await ask(`${apiUrl}/a`, { headers: { "x-host": host } })).headers.location).toBe(`${apiUrl}/user`);
  });

  it("leads to other servers as it came", async () => {
    const location = "https://codeload.github.com/o/r/legacy.zip";
    const { apiUrl } = await setUp((_incoming, response) => response.writeHead(302, { location }).end());
    expect((await ask(`${apiUrl}/a`)).headers.location).toBe(location);
  });

  it.each([
    ["kept", { etag: '"a"' }, false],
    ["kept and compressed", { etag: '"a"' }, true],
    ["passed on", {}, false],
    ["passed on and compressed", {}, true],
  ])("has addresses in its body by the client's root, and only there: %s", async (_what, headers, compressed) => {
    const { apiUrl, rootedApiUrl } = await setUp((_incoming, response) => {
      const text = JSON.stringify(USER);
      response.writeHead(200, { ...json, ...headers, ...(compressed && { "content-encoding": "gzip" }) });
      response.end(compressed ? gzipSync(text) : text);
    });
    const rooted = await ask(`${rootedApiUrl}/user`, { headers: { "accept-encoding": "gzip" } });
    expect(JSON.parse(rooted.text)).toEqual({ ...USER, url: `${rootedApiUrl}/user` });
    const plain = await ask(`${apiUrl}/user`);
    expect(
      JSON.parse(compressed && plain.headers["content-encoding"] === "gzip" ? JSON.stringify(USER) : plain.text),
    ).toEqual(USER);
  });

  it("has them in GraphQL's answers and in refusals, and none in what is no JSON", async () => {
    const { rootedApiUrl } = await setUp((incoming, response) => {
      const status = incoming.url === "/refused" ? 403 : 200;
      const type = incoming.url === "/text" ? "text/plain" : "application/vnd.github+json";
      response.writeHead(status, { "content-type": type }).end(JSON.stringify(USER));
    });
    expect(JSON.parse((await ask(`${rootedApiUrl}/refused`)).text).url).toBe(`${rootedApiUrl}/user`);
    expect(JSON.parse((await ask(`${rootedApiUrl}/text`)).text).url).toBe(USER.url);
  });

  it("keeps its length and its validator when it is a head alone", async () => {
    const { rootedApiUrl } = await setUp((_incoming, response) =>
      response.writeHead(200, { ...json, etag: '"a"' }).end(),
    );
    const head = await ask(`${rootedApiUrl}/user`, { method: "HEAD" });
    expect([head.status, head.headers.etag, head.text]).toEqual([200, '"a"', ""]);
  });

  it("of an Enterprise Server has its paths", async () => {
    const { apiUrl } = await setUp(
      (_incoming, response) =>
        response.writeHead(200, { link: '<https://github.example.com/api/v3/a?page=2>; rel="next"' }).end(),
      { host: "github.example.com" },
    );
    expect(apiUrl).toMatch(/\/api\/v3$/);
    expect((await ask(`${apiUrl}/a`)).headers.link).toBe(`<${apiUrl}/a?page=2>; rel="next"`);
  });
});
