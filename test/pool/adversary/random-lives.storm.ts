import { it, onTestFinished, vi } from "vitest";
import { assertEveryUnitIsBooked, assertNothingIsLeft } from "./random-lives.js";

it("books every unit that calls, aborts and failures at any moment cost, once, for longer", async () => {
  await assertEveryUnitIsBooked({ numRuns: 3_000 });
}, 900_000);

it("leaves no unit held, no call waiting and no timer, whatever clocks, stores and tokens do, for longer", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  await assertNothingIsLeft({ numRuns: 3_000 });
}, 900_000);
