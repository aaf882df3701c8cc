/** Text out of a trace without anything that a terminal obeys or that turns the direction of writing. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, "�");
}
