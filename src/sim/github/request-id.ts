import { type Random, randomHex } from "./random.js";

/** An `X-GitHub-Request-Id`, which holds the exchange's number in its middle. */
export function requestId(id: number, random: Random): string {
  const digits = randomHex(random, 24).toUpperCase();
  const serial = id.toString(16).toUpperCase().padStart(7, "0");
  return `${digits.slice(0, 4)}:${digits.slice(4, 9)}:${serial}:${digits.slice(9, 16)}:${digits.slice(16)}`;
}
