/** Takes one line of text, without its end, and its number from 1 on. */
export type TakeLine = (text: string, line: number) => void;

const LF = 10;

/**
 * Cuts bytes or text that arrives in pieces into lines. A line longer than the bound is passed over without being kept:
 * of it only `onTooLong` is told.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #take: TakeLine;
  readonly #onTooLong: (line: number) => void;
  #pieces: Uint8Array[] = [];
  #held = 0;
  #line = 1;
  #isTooLong = false;

  constructor(maxBytes: number, take: TakeLine, onTooLong: (line: number) => void) {
    this.#maxBytes = maxBytes;
    this.#take = take;
    this.#onTooLong = onTooLong;
  }

  push(chunk: Uint8Array | string): void {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, "utf8") : chunk;
    let start = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      this.#hold(bytes.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    if (start < bytes.length) this.#hold(bytes.subarray(start));
  }

  /** The last line may have no end. */
  end(): void {
    if (this.#held > 0 || this.#isTooLong) this.#finish();
  }

  #hold(piece: Uint8Array): void {
    if (this.#isTooLong) return;
    this.#held += piece.length;
    if (this.#held > this.#maxBytes) {
      this.#isTooLong = true;
      this.#pieces = [];
      return;
    }
    this.#pieces.push(piece);
  }

  #finish(): void {
    const line = this.#line++;
    const [first = EMPTY, ...rest] = this.#pieces;
    const wasTooLong = this.#isTooLong;
    this.#pieces = [];
    this.#held = 0;
    this.#isTooLong = false;
    if (wasTooLong) {
      this.#onTooLong(line);
      return;
    }
    const whole = rest.length === 0 ? first : Buffer.concat([first, ...rest]);
    this.#take(Buffer.from(whole.buffer, whole.byteOffset, whole.length).toString("utf8"), line);
  }
}

const EMPTY = new Uint8Array(0);
