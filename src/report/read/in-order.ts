import type { Observed } from "../observed.js";
import type { Feed } from "./feed.js";

/** How well a trace could be put in order. */
export interface Order {
  /** Records that stood further from their place than the buffer reaches; they were counted where they stood. */
  readonly late: number;
}

/** Gives the records of all feeds by the time at which they began. */
export async function inOrder(feeds: readonly Feed[], take: (observed: Observed) => void): Promise<Order> {
  let latest = Number.NEGATIVE_INFINITY;
  let late = 0;
  for (let open = [...feeds]; open.length > 0; ) {
    const feed = earliest(open);
    if (!feed.isReady) {
      await feed.fill();
      continue;
    }
    const observed = feed.pop();
    if (observed === undefined) {
      open = open.filter((other) => other !== feed);
      continue;
    }
    if (observed.at < latest) late++;
    else latest = observed.at;
    take(observed);
  }
  return { late };
}

/** One that has ended comes first, to be put away; one that is not open yet may come before its time. */
function earliest(feeds: readonly Feed[]): Feed {
  let best = feeds[0] as Feed;
  let least = best.next ?? Number.NEGATIVE_INFINITY;
  for (let index = 1; index < feeds.length; index++) {
    const feed = feeds[index] as Feed;
    const next = feed.next ?? Number.NEGATIVE_INFINITY;
    if (next < least) {
      best = feed;
      least = next;
    }
  }
  return best;
}
