import type { StoreKeyv } from "./store.js";

/** A Keyv that this package has made, with what its kind knows about closing it. */
export interface Opened {
  readonly keyv: StoreKeyv;
  /** Ends connections; may take as long as the server likes. */
  close(): Promise<void>;
  /** Drops what connections there are, at once. */
  breakOff(): void;
}
