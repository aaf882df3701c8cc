import { parseQuotaDocument } from "../src/policy/share/parse-quota-document.js";
import type { QuotaDocument } from "../src/policy/share/quota-document.js";
import type { ClassReport } from "../src/policy/share/report.js";
import { type ShareReport, updateShare } from "../src/policy/share.js";
import { type Document, decodeDocument, encodeDocument } from "../src/store/document.js";

/** What a document of the pool's costs that so many agents share, each in a process of its own. */
export interface ChangeCost {
  readonly bytes: number;
  /** One change from text to text: parsed, checked, shared out, and laid down again. Median, milliseconds. */
  readonly changeMs: number;
}

/** One agent's side: asks for a unit, and gives it back with the next report, so that the quota never runs out. */
export interface Agent {
  /** To be run on whatever the store holds. */
  change(stored: unknown, now: number): Document;
}

const WINDOW_MS = 3_600_000;
const LIMIT = 5_000;
/** Units that every agent has spent. */
const SPENT = 2;
const QUIET: ClassReport = {
  spent: 0,
  inFlight: 0,
  balance: 0,
  spentAhead: 0,
  wantPerHour: 0,
  waiting: 0,
  firstUnits: 0,
  denials: 0,
  asks: false,
};

/** The `index`th of `agents` that share a window which ends at `resetAt` (epoch milliseconds). */
export function createAgent(index: number, agents: number, resetAt: number): Agent {
  const priority = index % 3;
  const used = SPENT * agents;
  let counts: Pick<ShareReport, "window" | "stint"> = { window: undefined, stint: undefined };
  return {
    change(stored, now) {
      const own: ClassReport = {
        ...QUIET,
        spent: SPENT,
        wantPerHour: LIMIT / agents,
        waiting: 1,
        firstUnits: 1,
        asks: true,
      };
      const report: ShareReport = {
        ...counts,
        spender: `worker-${index}.example.internal/${1_000 + index}`,
        windowMs: WINDOW_MS,
        windowMeasured: true,
        limit: LIMIT,
        clockKnown: true,
        requestTimeoutMs: 60_000,
        classes: [priority === 0 ? own : QUIET, priority === 1 ? own : QUIET, priority === 2 ? own : QUIET],
        madeAt: now,
        spendUntil: resetAt,
        writtenOff: 0,
        header: { limit: LIMIT, used, resetAt, at: now },
        mode: "lend",
        blockedUntil: 0,
        closing: false,
      };
      const { doc, grant } = updateShare(stored === undefined ? undefined : parsed(stored, now), report, now);
      counts = { window: grant.window, stint: grant.stint };
      return { ...doc };
    },
  };
}

/** The document when every agent has reported twice: to be known, and to have its counts heard. */
export function fullDocument(agents: number, resetAt: number, now: number): Document {
  const all = Array.from({ length: agents }, (_, index) => createAgent(index, agents, resetAt));
  let document: Document | undefined;
  for (const agent of [...all, ...all]) document = agent.change(document, now);
  return document ?? {};
}

export function changeCost(agents: number): ChangeCost {
  const now = Date.now();
  const resetAt = now + WINDOW_MS / 2;
  let text = encodeDocument(fullDocument(agents, resetAt, now), undefined);
  const agent = createAgent(0, agents, resetAt);
  const tookMs: number[] = [];
  for (let run = 0; run < 300; run++) {
    const start = performance.now();
    text = encodeDocument(agent.change(decodeDocument("bench", text, now).document, now), undefined);
    tookMs.push(performance.now() - start);
  }
  const [median = 0] = tookMs.sort((a, b) => a - b).slice(tookMs.length / 2);
  return { bytes: Buffer.byteLength(text), changeMs: median };
}

function parsed(stored: unknown, now: number): QuotaDocument {
  const result = parseQuotaDocument(stored, now);
  if (result.kind === "ok") return result.doc;
  throw new Error(`The benchmark's document is unreadable: ${result.why}`);
}
