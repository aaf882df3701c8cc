export type { Guarded, GuardedHow, GuardOptions, GuardRead, Guards } from "./guard/guarded.js";
export { guardsFor } from "./guard/guards-for.js";
