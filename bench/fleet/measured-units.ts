/** GraphQL units an hour of real squads with guards written by hand, by sessions, when they were said to be quiet. */
export const MEASURED_UNITS: ReadonlyMap<string, number> = new Map([
  ["5", 260],
  ["10", 640],
  ["20", 680],
  ["30", 900],
  ["40", 1_140],
  ["50", 1_400],
]);
