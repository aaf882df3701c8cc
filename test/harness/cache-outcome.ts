/** How an answer came about, as its header says. */
export function outcomeOf(answer: { readonly headers: object }): string | undefined {
  return (answer.headers as Readonly<Record<string, string | undefined>>)["x-squad-rate"];
}
