import { openStore } from "../../../../src/store/open-store.js";

/** Opens a Postgres that refuses connections, again and again, as a program does that goes on without it. */
for (let round = 0; round < 10; round++) {
  const store = await openStore("postgres://nobody@127.0.0.1:1/nothing");
  await store.keyv.get("squad-rate:x").catch(() => undefined);
  await store.close();
}
console.log("survived");
