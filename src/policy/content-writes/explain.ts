import { formatDuration } from "../words.js";
import type { ContentSpender, SentBy } from "./document.js";
import { takersIn } from "./spenders.js";
import { type ContentWindow, freeAt, freeIn, tightestWindow, usedIn } from "./windows.js";

/** What a wait is explained by. */
export interface ContentFacts {
  readonly sent: readonly SentBy[];
  readonly windows: readonly ContentWindow[];
  readonly spenders: ReadonlyMap<string, ContentSpender>;
  /** Writes of others that are served before the next one of the asker. */
  readonly before: number;
  /** GitHub's time. */
  readonly now: number;
}

/** Why a process gets no more content writes now, in plain words with numbers. */
export function explainContent({ sent, windows, spenders, before, now }: ContentFacts): string {
  const free = freeIn(sent, windows, now);
  const window = tightestWindow(sent, windows, now);
  const { limit, lastsMs, name } = window;
  if (free > 0) {
    const queue = before === 0 ? "" : `, and ${others(before)} first`;
    return `${free} of ${limit} content writes of the last ${name} ${free === 1 ? "is" : "are"} free${queue}`;
  }
  const takers = takersIn(spenders, lastsMs, now);
  const by = takers === 0 ? "" : ` by ${takers} ${takers === 1 ? "process" : "processes"}`;
  const next = formatDuration(freeAt(sent, windows, 1, now) - now);
  const queue = before === 0 ? "" : `; ${others(before)} first`;
  return `${usedIn(sent, window, now)} of ${limit} content writes of the last ${name} are taken${by}, the next is free in ${next}${queue}`;
}

function others(before: number): string {
  return before === 1 ? "1 of another process comes" : `${before} of other processes come`;
}
