// WorkerLink: one worker with a running server. Ends the worker when it does not respond, as in an endless loop.
import type { FromWorker, ServerEvent, ToWorker } from "../../../src/playground/messages.ts";

const PING_INTERVAL_MS = 1000;
/** A worker that is silent for so long is in a loop without end. */
const MAX_SILENCE_MS = 5000;

const FROZEN = `The server did not respond for ${MAX_SILENCE_MS / 1000} seconds, so the page has stopped it: the code may have an endless loop. Change it and run it again.`;

export class WorkerLink {
  readonly #worker: Worker;
  readonly #onFrozen: (reason: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(receive: (event: ServerEvent) => void, onFrozen: (reason: string) => void) {
    this.#onFrozen = onFrozen;
    this.#worker = new Worker(new URL("../../../src/playground/worker.ts", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      // Loading takes as long as the network; from then on the worker answers each ping.
      if (data.kind === "loaded") this.#ping();
      else if (data.kind === "pong") this.#pingLater();
      else receive(data);
    });
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault(); // reported to the user instead of the console
      receive({ kind: "failed", message: event.message || "The playground could not be loaded. Reload the page." });
    });
  }

  send(message: ToWorker): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A page posts to its own worker.
    this.#worker.postMessage(message);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#worker.terminate();
  }

  #ping(): void {
    this.send({ kind: "ping" });
    this.#timer = setTimeout(() => {
      this.stop();
      this.#onFrozen(FROZEN);
    }, MAX_SILENCE_MS);
  }

  #pingLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ping(), PING_INTERVAL_MS);
  }
}
