import { type AnswerForm, formOfReply } from "./answer-form.js";
import type { ObservedGitHub, View } from "./observed-github.js";

/** An answer and the moment since which it is GitHub's. */
interface Era {
  readonly from: number;
  readonly form: AnswerForm;
}

interface Followed {
  readonly view: View;
  readonly eras: Era[];
  readonly movedTo: Set<string>;
}

/** What GitHub would have answered to each request in use, at every moment since it was first used. */
export class Timeline {
  readonly #github: ObservedGitHub;
  readonly #views = new Map<string, Followed>();
  #pending = 0;
  #version = -1;

  constructor(github: ObservedGitHub) {
    this.#github = github;
  }

  /** Begins to follow a request, and what it is redirected to. */
  async follow(view: View, moment: number): Promise<void> {
    const key = keyOf(view);
    if (this.#views.has(key)) return;
    const followed: Followed = { view, eras: [], movedTo: new Set() };
    this.#views.set(key, followed);
    await this.#lookAt(followed, moment);
  }

  /** Looks again at every request, if the world has changed at `moment`. */
  async look(moment: number): Promise<void> {
    const { version } = this.#github.engine.state;
    if (version === this.#version) return;
    this.#version = version;
    this.#pending++;
    await Promise.all([...this.#views.values()].map((followed) => this.#lookAt(followed, moment)));
    this.#pending--;
  }

  /**
   * The answers that were GitHub's at some moment from `since` to `until`. With `redirected`, also those of where it led
   * to at any time: an exchange of two hops meets the world at two moments.
   */
  during(view: View, since: number, until: number, redirected: boolean): readonly AnswerForm[] {
    if (this.#pending > 0) throw new Error("The timeline is read before it is written.");
    const { eras, movedTo } = this.#views.get(keyOf(view)) ?? { eras: [], movedTo: [] };
    const own = eras
      .filter(({ from }, index) => from <= until && (eras[index + 1]?.from ?? Number.POSITIVE_INFINITY) > since)
      .map(({ form }) => form);
    if (!redirected) return own;
    return [...own, ...[...movedTo].flatMap((url) => this.during({ ...view, url }, since, until, false))];
  }

  /** Whether the answer to a request changed at exactly this moment. */
  changedAt(view: View, moment: number): boolean {
    return this.#views.get(keyOf(view))?.eras.some(({ from }, index) => index > 0 && from === moment) ?? false;
  }

  async #lookAt({ view, eras, movedTo }: Followed, moment: number): Promise<void> {
    const peeked = await this.#github.peek(view);
    const form = formOfReply(peeked.reply);
    if (JSON.stringify(form) !== JSON.stringify(eras.at(-1)?.form)) eras.push({ from: moment, form });
    if (peeked.movedTo === undefined || movedTo.has(peeked.movedTo)) return;
    movedTo.add(peeked.movedTo);
    await this.follow({ ...view, url: peeked.movedTo }, moment);
  }
}

export function keyOf({ method, url, authorization, accept, userAgent }: View): string {
  return `${method} ${url}\n${authorization}\n${accept}\n${/curl/.test(userAgent)}`;
}
