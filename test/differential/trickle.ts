import { type Clock, sleep } from "../../src/clock.js";

/** The second half of a body comes so much later: time in which callers leave, join and write. */
export interface Trickle {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
  /** Called when all has come. */
  readonly ended: () => void;
}

/** The same answer at another pace. */
export function trickle(response: Response, { clock, ms, signal, ended }: Trickle): Response {
  if (ms === 0 || response.body === null) return response;
  const source = response.body.getReader();
  let late: Uint8Array | undefined;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (late !== undefined) {
        await sleep(clock, ms, signal);
        controller.enqueue(late);
        late = undefined;
        return;
      }
      const { done, value } = await source.read();
      if (done) {
        ended();
        controller.close();
        return;
      }
      const half = value.byteLength >> 1;
      controller.enqueue(value.subarray(0, half));
      late = value.subarray(half);
    },
  });
  const { status, statusText, headers, url, redirected } = response;
  const whole = new Response(body, { status, statusText, headers });
  return Object.defineProperties(whole, { url: { value: url }, redirected: { value: redirected } });
}
