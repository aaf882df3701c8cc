import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import keyvTestSuite, { keyvIteratorTests } from "@keyv/test-suite";
import { Keyv } from "keyv";
import * as vitest from "vitest";
import { systemClock } from "../../../src/clock.js";
import { FileStore } from "../../../src/store/file/file-store.js";

const directory = mkdtempSync(join(tmpdir(), "squad-rate-keyv-"));

vitest.afterAll(() => rmSync(directory, { recursive: true, force: true }));

const store = (): FileStore =>
  new FileStore({ directory, clock: systemClock, random: Math.random, onWarning: () => {} });

vitest.describe("@keyv/test-suite on the file store", () => {
  keyvTestSuite(vitest as never, Keyv, store as never);
});

vitest.describe("@keyv/test-suite: iterators on the file store", () => {
  class IterableKeyv extends Keyv {
    constructor(options: { readonly store: FileStore; readonly namespace?: string }) {
      super(options as never);
      // Keyv 5 iterates only the adapters that it knows by name; openStore() does this too.
      this.iterator ??= this.generateIterator(options.store.iterator.bind(options.store) as never);
    }
  }
  keyvIteratorTests(vitest as never, IterableKeyv as never, store as never);
});
