import { describe, expect, it } from "vitest";
import { withSocket } from "../../../src/cli/exec/gh-config.js";

const OURS = 'http_unix_socket: "/run/c.sock"';

describe("gh's configuration with our socket in it", () => {
  it("is our socket alone where there is none", () => {
    for (const text of [undefined, ""])
      expect(withSocket(text, "/run/c.sock")).toEqual({ text: `${OURS}\n`, replaced: undefined });
  });

  it("keeps all else as it was, comments and order included", () => {
    const text = "# mine\ngit_protocol: ssh\naliases:\n    co: pr checkout\n# end\n";
    expect(withSocket(text, "/run/c.sock").text).toBe(
      `# mine\n${OURS}\ngit_protocol: ssh\naliases:\n    co: pr checkout\n# end\n`,
    );
  });

  it.each<[string, string, string]>([
    ["plain", "http_unix_socket: /tmp/a.sock", "/tmp/a.sock"],
    ["with a comment", "http_unix_socket: /tmp/a.sock # mine", "/tmp/a.sock"],
    ["in single quotes", "http_unix_socket: '/tmp/a b.sock'", "/tmp/a b.sock"],
    ["in double quotes", 'http_unix_socket: "/tmp/a.sock"', "/tmp/a.sock"],
    ["under a quoted key", '"http_unix_socket" : /tmp/a.sock', "/tmp/a.sock"],
    ["over two lines", "http_unix_socket: >-\n  /tmp/a.sock\n", "…"],
    ["on the line below", "http_unix_socket:\n\n  /tmp/a.sock", undefined as never],
  ])("takes out a socket of the user's, %s", (_how, lines, replaced) => {
    const result = withSocket(`git_protocol: ssh\n${lines}\neditor: vi\n`, "/run/c.sock");
    expect(result).toEqual({ text: `${OURS}\ngit_protocol: ssh\neditor: vi\n`, replaced });
  });

  it("speaks of none where the user's is empty", () => {
    expect(withSocket("http_unix_socket:\n", "/run/c.sock")).toEqual({ text: `${OURS}\n`, replaced: undefined });
  });

  it("leaves what is further down or only looks like it", () => {
    const text = "aliases:\n  http_unix_socket: nested\n# http_unix_socket: x\nhttp_unix_sockets: y\n";
    const result = withSocket(text, "/run/c.sock");
    expect(result).toEqual({ text: `${OURS}\n${text}`, replaced: undefined });
  });

  it("stands inside the document, whatever marks it", () => {
    expect(withSocket("%YAML 1.2\n---\neditor: vi\n...\n", "/run/c.sock").text).toBe(
      `%YAML 1.2\n---\n${OURS}\neditor: vi\n...\n`,
    );
    expect(withSocket("---\n", "/run/c.sock").text).toBe(`---\n${OURS}\n`);
  });

  it("reads lines as Windows ends them", () => {
    expect(withSocket("editor: vi\r\nhttp_unix_socket: /a\r\n", "/run/c.sock").text).toBe(`${OURS}\neditor: vi\n`);
  });

  it("quotes a path that YAML would read as something else", () => {
    expect(withSocket(undefined, '/a: "b" #\\c').text).toBe('http_unix_socket: "/a: \\"b\\" #\\\\c"\n');
  });

  it("takes empty braces for nothing", () => {
    expect(withSocket("{}\n", "/run/c.sock").text).toBe(`${OURS}\n`);
  });

  it("does not take a byte order mark for a part of the first key", () => {
    expect(withSocket("\uFEFFeditor: vi\n", "/run/c.sock").text).toBe(`${OURS}\neditor: vi\n`);
  });

  it.each([
    ["in braces", "{ editor: vi }\n"],
    ["in braces below comments", "# mine\n\n{ editor: vi,\n git_protocol: ssh }\n"],
    ["in braces behind a document's mark", "--- { editor: vi }\n"],
    ["indented", "# mine\n  editor: vi\n  git_protocol: ssh\n"],
    ["a list", "- editor: vi\n"],
  ])("refuses one beside which a socket would not count: %s", (_how, text) => {
    expect(() => withSocket(text, "/run/c.sock")).toThrow(
      expect.objectContaining({
        code: "SQUAD_RATE_OPTIONS",
        message: expect.stringMatching(/in braces, or.*indented/),
      }),
    );
  });
});
