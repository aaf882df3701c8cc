import type { FaultScript } from "./faults.js";
import type { ResourceName } from "./resource.js";
import type { SimulatedGitHub } from "./surface.js";

/** The control API's answer. */
export interface ControlAnswer {
  readonly status: number;
  readonly value: unknown;
}

/** What other processes may do with a simulated GitHub that listens. */
export type ControlApi = (method: string, url: URL, body: Uint8Array | undefined) => ControlAnswer;

type Controlled = Pick<
  SimulatedGitHub,
  "world" | "log" | "ledger" | "usage" | "consume" | "fault" | "block" | "setClockSkew" | "reset"
>;

/** Requests by method and path below `/__sim`; each takes and gives JSON. */
export function createControlApi(github: Controlled): ControlApi {
  const actions: Readonly<Record<string, (input: Readonly<Record<string, unknown>>, url: URL) => unknown>> = {
    "GET /log": (_input, url) =>
      github.log.filter((exchange) => exchange.id > Number(url.searchParams.get("after") ?? 0)),
    "GET /ledger": (_input, url) => github.ledger(url.searchParams.get("principal") ?? undefined),
    "POST /usage": (input) => github.usage(String(input.token), input.resource as ResourceName | undefined),
    "POST /consume": (input) =>
      github.consume(String(input.token), input.resource as ResourceName, Number(input.units)),
    "POST /block": (input) => github.block(String(input.token), Number(input.forMs)),
    "POST /clock-skew": (input) => github.setClockSkew(Number(input.skewMs)),
    "POST /reset": (input) => github.reset({ world: input.world === true }),
    "POST /fault": (input) => {
      const { remaining } = github.fault(faultOf(input));
      return { remaining };
    },
    "POST /world": (input) => callWorld(github.world, String(input.call), (input.args ?? []) as readonly unknown[]),
  };
  return (method, url, body) => {
    const action = actions[`${method} ${url.pathname.slice("/__sim".length)}`];
    if (action === undefined)
      return { status: 404, value: { error: "No such action.", actions: Object.keys(actions) } };
    try {
      const input = body === undefined ? {} : (JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>);
      return { status: 200, value: action(input, url) ?? {} };
    } catch (error) {
      return { status: 400, value: { error: (error as Error).message } };
    }
  };
}

function callWorld(world: SimulatedGitHub["world"], name: string, args: readonly unknown[]): unknown {
  const mutators = world as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>;
  const mutator = Object.hasOwn(mutators, name) ? mutators[name] : undefined;
  if (mutator === undefined)
    throw new RangeError(`The world has no "${name}"; it has ${Object.keys(mutators).join(", ")}.`);
  return mutator(...args.map(withBytes));
}

/** JSON has no bytes: `{ "base64": … }` stands for them. */
function withBytes(value: unknown): unknown {
  const encoded = (value as { readonly base64?: unknown } | null)?.base64;
  return typeof encoded === "string" ? new Uint8Array(Buffer.from(encoded, "base64")) : value;
}

/** JSON has no expressions: `match.pathPattern` is the source of one. Nor has it Infinity: `times: "forever"`. */
function faultOf(input: Readonly<Record<string, unknown>>): FaultScript {
  const match = input.match as { readonly pathPattern?: string } | undefined;
  return {
    ...input,
    ...(input.times === "forever" ? { times: Number.POSITIVE_INFINITY } : {}),
    ...(match?.pathPattern === undefined ? {} : { match: { ...match, path: new RegExp(match.pathPattern) } }),
  } as FaultScript;
}
