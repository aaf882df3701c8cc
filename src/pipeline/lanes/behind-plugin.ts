/** All that a plugin gets to see of an answer: plugin-throttling looks into `data` for GraphQL errors. */
export interface NeutralAnswer {
  readonly data: Readonly<Record<string, never>>;
}

/** Nothing in it to judge. */
export const NEUTRAL_ANSWER: NeutralAnswer = Object.freeze({ data: Object.freeze({}) });

/**
 * Lets a plugin decide when `make` begins, and nothing else. The plugin sees neither answer nor error, because it would
 * retry some and trip over others; they come out as `make` left them. `make` is called exactly once: a plugin that calls
 * `start` again gets the same, and where it fails by itself without a call, the call is made all the same.
 */
export async function behindPlugin<T>(
  make: () => Promise<T>,
  plugin: (start: () => Promise<NeutralAnswer>) => Promise<unknown>,
): Promise<T> {
  let made: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    made ??= Promise.resolve().then(make);
    return made;
  };
  const start = async (): Promise<NeutralAnswer> => {
    await begin().catch(() => undefined);
    return NEUTRAL_ANSWER;
  };
  // All waiting was done before, so nothing is lost with a plugin but its safety net.
  await plugin(start).catch(() => undefined);
  return begin();
}
