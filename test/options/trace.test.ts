import { describe, expect, it } from "vitest";
import { isSquadRateError } from "../../src/errors.js";
import {
  IdentityNumbers,
  optionsKey,
  type ResolvedOptions,
  resolveOptions,
  type SquadOptions,
} from "../../src/options.js";

const identity = { hostname: "build-7", pid: 42 };
const FILE = { kind: "file", file: "t.jsonl", maxBytes: 104_857_600, keep: 9 };

function resolve(options: unknown, environment: Record<string, string | undefined> = {}): ResolvedOptions {
  return resolveOptions(options as SquadOptions, environment, identity);
}

function message(trace: unknown): string {
  try {
    resolve({ trace });
  } catch (error) {
    if (!isSquadRateError(error)) throw error;
    expect(error.code).toBe("SQUAD_RATE_OPTIONS");
    return error.message;
  }
  throw new Error("was accepted");
}

describe("squad.trace", () => {
  it("is off unless somebody names a file or a function", () => {
    expect(resolve({}).trace).toBe(false);
    expect(resolve({}, { SQUAD_RATE_TRACE: "" }).trace).toBe(false);
  });

  it("takes a path, an object that names one, or the environment's", () => {
    expect(resolve({ trace: "t.jsonl" }).trace).toEqual(FILE);
    expect(resolve({ trace: { file: "t.jsonl" } }).trace).toEqual(FILE);
    expect(resolve({}, { SQUAD_RATE_TRACE: "t.jsonl" }).trace).toEqual(FILE);
    const given = { file: "~/t.jsonl", maxBytes: 65_536, keep: 1 };
    expect(resolve({ trace: given }).trace).toEqual({ kind: "file", ...given });
  });

  it("takes a function", () => {
    const take = (): void => undefined;
    expect(resolve({ trace: take }).trace).toEqual({ kind: "function", take });
  });

  it("goes before the environment, also where it is false", () => {
    const environment = { SQUAD_RATE_TRACE: "other.jsonl" };
    expect(resolve({ trace: false }, environment).trace).toBe(false);
    expect(resolve({ trace: "t.jsonl" }, environment).trace).toEqual(FILE);
  });

  it("names what is wrong, its bound and what was given", () => {
    expect(message(true)).toBe(
      "squad.trace must be false, the path of a file, a function that takes records, or a plain object that names a file; got true.",
    );
    expect(message("")).toContain("squad.trace must be the path of a file, at least one character");
    expect(message({})).toContain("squad.trace.file must be the path of a file; got undefined");
    expect(message({ file: 3 })).toContain("squad.trace.file must be the path of a file");
    expect(message({ file: "t", maxBytes: 1_000 })).toBe(
      "squad.trace.maxBytes must be a whole number of bytes from 65536 to 1099511627776; got 1000.",
    );
    expect(message({ file: "t", keep: 0 })).toBe(
      "squad.trace.keep must be a whole number of files from 1 to 1000; got 0.",
    );
    expect(message({ file: "t", maxByte: 1 })).toContain(
      "squad.trace.maxByte: unknown option; did you mean `maxBytes`?",
    );
  });

  it("makes equal options one squad: files by what they say, functions by which they are", () => {
    const numbers = new IdentityNumbers();
    const key = (trace: unknown): string => optionsKey(resolve({ trace }), numbers);
    const one = (): void => undefined;
    const other = (): void => undefined;
    expect(key("t.jsonl")).toBe(key({ file: "t.jsonl" }));
    expect(key("t.jsonl")).not.toBe(key("u.jsonl"));
    expect(key(one)).toBe(key(one));
    expect(key(one)).not.toBe(key(other));
  });
});
