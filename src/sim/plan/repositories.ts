/** Repositories with as many watching agents each. */
export interface Repositories {
  readonly count: number;
  readonly agents: number;
}

/** Full ones, and one for the rest. */
export function repositoriesOf(agents: number, perRepository: number): readonly Repositories[] {
  const rest = agents % perRepository;
  return [
    { count: (agents - rest) / perRepository, agents: perRepository },
    { count: rest === 0 ? 0 : 1, agents: rest },
  ].filter(({ count }) => count > 0);
}
