const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const TIME = "(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})";
const MONTH = `(?<month>${MONTHS.join("|")})`;
/** `Sun, 06 Nov 1994 08:49:37 GMT`, the form that is written today. */
const FIXED = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`);
/** `Sunday, 06-Nov-94 08:49:37 GMT`. */
const RFC_850 = new RegExp(
  `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT$`,
);
/** `Sun Nov  6 08:49:37 1994`. */
const ASCTIME = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`);

/**
 * An HTTP date in any of its three forms, as epoch milliseconds; `undefined` for everything else. `Date.parse` would
 * take "60 minutes" and "2" for dates. `now` (epoch milliseconds) tells the century of a year with two digits.
 *
 * https://www.rfc-editor.org/rfc/rfc9110.html#section-5.6.7
 *
 * @example
 * ```ts
 * parseHttpDate("Tue, 01 Jan 2030 00:00:00 GMT", Date.now()); // 1893456000000
 * ```
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  const fields = (FIXED.exec(text) ?? RFC_850.exec(text) ?? ASCTIME.exec(text))?.groups;
  if (fields === undefined) return undefined;
  const number = (name: string): number => Number(fields[name]);
  const year = fields.year?.length === 2 ? century(number("year"), now) : number("year");
  const month = MONTHS.indexOf(fields.month ?? "");
  const [day, hour, minute, second] = [number("day"), number("hour"), number("minute"), number("second")];
  // 60 is a leap second.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month, day);
  // The 31st of February would become the 3rd of March.
  if (midnight.getUTCDate() !== day) return undefined;
  return midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1_000;
}

/** Of the years with these two last digits, the latest that is at most fifty years ahead. */
function century(digits: number, now: number): number {
  const latest = new Date(now).getUTCFullYear() + 50;
  return latest - ((latest - digits) % 100);
}
