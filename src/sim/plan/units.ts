import type { PlannedResource } from "./checked-scenario.js";

/** Units of primary quota by resource. */
export type PlanUnits = Readonly<Record<PlannedResource, number>>;
