import { expect, it } from "vitest";
import { openStore } from "../../../src/store/open-store.js";

// The adapter told of its first query's failure before anybody listened, in about every second run. Vitest fails a run in
// which an exception was not caught.
it("survives a Postgres that refuses connections while it is opened, again and again", async () => {
  for (let round = 0; round < 10; round++) {
    const store = await openStore("postgres://nobody@127.0.0.1:1/nothing");
    await expect(store.keyv.get("squad-rate:x")).rejects.toThrow(/ECONNREFUSED/);
    await store.close();
  }
});
