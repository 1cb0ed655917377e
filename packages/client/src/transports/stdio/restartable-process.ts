// A server process that is restarted when it exits by itself. Only stateless requests survive a restart, as a session would be lost.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#stdio
import type { Id } from "@oarlock/server-kit/protocol";
import type { OutgoingMessage, Transport } from "../../connection/transport.ts";
import { InterruptedError } from "../../errors.ts";
import type { Exit, ServerProcess } from "./server-process.ts";

export class RestartableProcess implements Transport {
  onText: Transport["onText"];
  onClose: Transport["onClose"];
  onRequestLost: NonNullable<Transport["onRequestLost"]> = () => undefined;
  /** Whether to restart the process. Set once the server is known to be stateless. */
  mayRestart = false;
  readonly #spawn: () => ServerProcess;
  #remainingRestarts: number;
  #process: ServerProcess;
  #isClosing = false;
  readonly #pending = new Set<Id>();

  constructor(spawn: () => ServerProcess, maxRestarts: number) {
    this.#spawn = spawn;
    this.#remainingRestarts = maxRestarts;
    this.#process = this.#start();
  }

  /** Resolves when the current process has exited. */
  get exited(): Promise<Exit> {
    return this.#process.exited;
  }

  #start(): ServerProcess {
    const process = this.#spawn();
    process.onText = (text) => this.onText?.(text);
    process.onClose = (error) => this.#onExit(error);
    return process;
  }

  #onExit(error: Error | undefined): void {
    if (this.#isClosing || !this.mayRestart || this.#remainingRestarts === 0) return this.onClose?.(error);
    this.#remainingRestarts--;
    this.#process = this.#start();
    const lost = [...this.#pending];
    this.#pending.clear();
    for (const id of lost) this.onRequestLost(id, new InterruptedError(error?.message ?? "The server process exited"));
  }

  send(text: string, { id, method }: OutgoingMessage = {}): void {
    if (id !== undefined && method !== undefined) this.#pending.add(id);
    this.#process.send(text);
  }

  requestSettled(id: Id): void {
    this.#pending.delete(id);
  }

  close(): Promise<void> {
    this.#isClosing = true;
    return this.#process.close();
  }
}
