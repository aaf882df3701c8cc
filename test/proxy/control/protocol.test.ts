import { describe, expect, it } from "vitest";
import { readAdmission } from "../../../src/proxy/control/protocol.js";

const SECRET = "s".repeat(43);

describe("what a command asks for", () => {
  it("is taken as it is when it is sound", () => {
    const asked = {
      agent: "data",
      priority: 2,
      session: "ta-51",
      token: "ghp_x",
      secret: SECRET,
      socketPath: "/r/c.sock",
    };
    expect(readAdmission(asked)).toEqual({ ...asked, tokenOf: undefined });
    expect(readAdmission({})).toEqual({});
    expect(readAdmission({ priority: "P0" }).priority).toBe(0);
  });

  it.each<[string, unknown, RegExp]>([
    ["no object", [], /client must be a plain object/],
    ["an unknown key", { agnet: "data" }, /did you mean `agent`/],
    ["an empty agent", { agent: "" }, /client\.agent must be/],
    ["an agent that is a credential", { agent: "ghp_0123456789abcdef0123" }, /client\.agent must be/],
    ["a priority out of bounds", { priority: 3 }, /client\.priority must be/],
    ["a token with a line break", { token: "ghp_x\r\nhost: evil" }, /client\.token must be/],
    ["a token that is none", { token: 5 }, /client\.token must be/],
    ["a short secret", { secret: "abc" }, /client\.secret must be/],
    ["a secret of another client that is none", { tokenOf: "abc" }, /client\.tokenOf must be/],
    ["a relative socket", { socketPath: "c.sock" }, /client\.socketPath must be/],
  ])("is refused with %s", (_what, body, message) => {
    expect(() => readAdmission(body)).toThrow(
      expect.objectContaining({ code: "SQUAD_RATE_OPTIONS", message: expect.stringMatching(message) }),
    );
  });

  it("is never quoted where it may be secret", () => {
    for (const body of [{ token: "hunter2 hunter2" }, { secret: "hunter2" }, { tokenOf: "hunter2" }]) {
      expect(() => readAdmission(body)).toThrow(
        expect.objectContaining({ message: expect.not.stringMatching(/hunter2/) }),
      );
    }
  });
});
