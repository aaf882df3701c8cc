/** Kinds of scenarios. */
export const FAMILIES = ["quiet", "measured", "reactive", "oversubscribed", "throughput"] as const;
export type FamilyName = (typeof FAMILIES)[number];
