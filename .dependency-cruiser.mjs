// The floors of the house (docs/design.md): an import goes down only, and there are no circles. Type-only imports count,
// because a type from an upper floor ties the lower one to it just as a value does. A room is a file or a folder of its name.

/** Pure decisions. */
const policy = "^src/policy/";
/** What stands beside policy: what a call is and what a trace tells of it, time, errors, options, events, our version. */
const beside = "^src/(call/|trace/record\\.ts$|(clock|errors|options|events|version)(\\.ts$|/))";
const clock = "^src/clock\\.ts$";
/** Opening a store and changing it atomically. */
const store = "^src/store/";
/** Four rooms on one floor: they meet only in the pipeline. */
const rooms = ["cache", "pool", "graphql", "trace"];
const room = `^src/(${rooms.join("|")})/`;
/** The life of a call. */
const pipeline = "^src/pipeline/";
/** Clients of the pipeline: Octokit's hook and the bare fetch. */
const adapter = "^src/adapter/";
/** Builds the rooms once. */
const squad = "^src/squad(\\.ts$|/)";
/** On top: each may import anything below. */
const tops = {
  plugin: "^src/plugin(\\.ts$|/)",
  index: "^src/index\\.ts$",
  guard: "^src/guard(\\.ts$|/)",
  batch: "^src/batch(\\.ts$|/)",
  report: "^src/report/",
  proxy: "^src/proxy/",
  fleet: "^src/sim/(index|fleet|plan)(\\.ts$|/)",
  cli: "^src/cli/",
};
/** They stand outside the house. */
const simulatedGitHub = "^src/sim/github(\\.ts$|/)";
const virtualClock = "^src/sim/virtual-clock\\.ts$";

/** What is there before it is known which command runs. */
const commandLineFrame = "^src/cli/((?!settings)[^/]*|commands/[^/]*)\\.ts$";

const floor2 = [policy, beside];
const floor3 = [...floor2, store];
const floor4 = [...floor3, room, pipeline];
const floor5 = [...floor4, adapter];
const below = [...floor5, squad];
const everywhere = [...below, ...Object.values(tops), simulatedGitHub, virtualClock];

const optionalPeers =
  "(^|node_modules/)(@keyv/(redis|valkey|postgres)|redis|ioredis|pg|@grpc/[^/]+|@opentelemetry/[^/]+)(/|$)";
const lazily = ["dynamic-import", "type-only", "type-import"];

/** Which of our own files `from` may import. */
function mayImport(name, comment, from, allowed) {
  return { name, comment, severity: "error", from: { path: from }, to: { path: "^src/", pathNot: allowed } };
}

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "policy-imports-only-policy",
      comment:
        "A policy is a pure decision: no other file, no package, no node: module; `now` and `random` are arguments.",
      severity: "error",
      from: { path: policy },
      to: { pathNot: policy },
    },
    mayImport(
      "floor-2-imports-policy-and-itself",
      "call/, clock, errors, options and events describe a call; they know nothing of stores, rooms or pipelines.",
      beside,
      floor2,
    ),
    mayImport("store-imports-floors-1-2", "A store keeps documents; it does not know what is in them.", store, floor3),
    ...rooms.map((name) =>
      mayImport(
        `${name}-imports-floors-1-3`,
        `${name}/ is one of four rooms (${rooms.join(", ")}) that never import each other: each switches off alone.`,
        `^src/${name}/`,
        [...floor3, `^src/${name}/`],
      ),
    ),
    mayImport(
      "pipeline-imports-floors-1-3",
      "The pipeline ties the rooms together; it is built, it builds nothing.",
      pipeline,
      floor4,
    ),
    mayImport(
      "adapter-imports-the-pipeline",
      "An adapter turns one client's requests into calls; it does not know who built the rooms.",
      adapter,
      floor5,
    ),
    mayImport(
      "squad-imports-below",
      "squad.ts builds the rooms and the pipeline; it does not know who uses a Squad.",
      squad,
      below,
    ),
    ...Object.entries(tops)
      .filter(([name]) => name !== "cli" && name !== "index" && name !== "fleet")
      .map(([name, path]) =>
        mayImport(`${name}-imports-below`, `${name} is one of the tops, which do not import each other.`, path, [
          ...below,
          path,
          // What only an Octokit can do for its squad is given to it there.
          ...(name === "plugin" ? [tops.guard, tops.batch] : []),
        ]),
      ),
    mayImport(
      "index-imports-below",
      "index.ts is public names and nothing else: of the tops it names only those that are exported from `.`.",
      tops.index,
      [...below, tops.plugin, tops.guard, tops.batch],
    ),
    mayImport(
      "fleet-imports-below",
      "The fleet drives the plugin, as users do, on virtual time against the simulated GitHub.",
      tops.fleet,
      [...below, tops.plugin, tops.guard, tops.batch, tops.fleet, simulatedGitHub, virtualClock],
    ),
    mayImport(
      "simulated-github-imports-only-clock",
      "The simulated GitHub shares no code with the engine, so that the two can disagree.",
      simulatedGitHub,
      [simulatedGitHub, clock],
    ),
    mayImport("virtual-clock-imports-only-clock", "It is a Clock, and nothing else.", virtualClock, [clock]),
    {
      name: "command-line-begins-light",
      comment: "What a command does is imported when it runs: `exec` is to begin at once, whatever others need.",
      severity: "error",
      from: { path: commandLineFrame },
      to: {
        path: "^src/",
        pathNot: [commandLineFrame, "^src/(call/redact|clock|errors|version)\\.ts$"],
        dependencyTypesNot: lazily,
      },
    },
    {
      name: "every-file-has-a-floor",
      comment:
        "A file outside the rooms above has no rules; give it a room, or add the room here and to docs/design.md.",
      severity: "error",
      from: { path: "^src/", pathNot: everywhere },
      to: {},
    },
    {
      name: "nothing-imports-a-file-without-a-floor",
      comment: "The same, for a file that imports nothing itself.",
      severity: "error",
      from: {},
      to: { path: "^src/", pathNot: everywhere },
    },
    {
      name: "no-circles",
      comment: "Two files that need each other are one file, or hide a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "src-imports-only-src",
      comment: "What is published cannot reach into tests, benchmarks, examples or scripts.",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["local"], pathNot: "^src/" },
    },
    {
      name: "no-dev-dependencies",
      comment: "A development dependency is not there for whoever installs the package, not even its types.",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["npm-peer"] },
    },
    {
      name: "no-undeclared-packages",
      comment:
        "A package that package.json does not name is there by accident. (Optional peers have a rule of their own.)",
      severity: "error",
      from: { path: "^src/" },
      to: {
        dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown", "undetermined"],
        // An optional peer that is also a development dependency counts as both declared and not.
        dependencyTypesNot: ["npm-peer"],
      },
    },
    {
      name: "optional-peers-lazily",
      comment:
        "Redis, Postgres, gRPC and OpenTelemetry are optional: a static import would make everybody install them.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: optionalPeers, dependencyTypesNot: lazily },
    },
    {
      name: "optional-peers-in-one-file-each",
      comment: "One file knows how an optional peer is loaded and says what to install when it is missing.",
      severity: "error",
      from: { path: "^src/" },
      module: { path: optionalPeers, numberOfDependentsMoreThan: 1 },
    },
    {
      name: "heavy-dependencies-lazily",
      comment: "These are imported on first use, so that a program that never needs them does not load them.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "(^|node_modules/)(@octokit/plugin-(retry|throttling)|graphql)(/|$)", dependencyTypesNot: lazily },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
