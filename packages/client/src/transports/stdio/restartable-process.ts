// A server process that is started again when it ends by itself. Only requests that stand alone survive that: there is no
// session to be lost. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#stdio
import type { Id } from "@oarlock/server-kit/protocol";
import type { Carrier, Outgoing } from "../../connection/transport.ts";
import { Interrupted } from "../../errors.ts";
import type { Exit, ServerProcess } from "./server-process.ts";

export class Restarting implements Carrier {
  onText: Carrier["onText"];
  onClose: Carrier["onClose"];
  onLost: NonNullable<Carrier["onLost"]> = () => undefined;
  /** Whether it may be started again. */
  restarts = false;
  readonly #start: () => ServerProcess;
  #left: number;
  #server: ServerProcess;
  #closing = false;
  readonly #waiting = new Set<Id>();

  /** `most` is how often it is started again, in all. */
  constructor(start: () => ServerProcess, most: number) {
    this.#start = start;
    this.#left = most;
    this.#server = this.#begin();
  }

  get exited(): Promise<Exit> {
    return this.#server.exited;
  }

  #begin(): ServerProcess {
    const server = this.#start();
    server.onText = (text) => this.onText?.(text);
    server.onClose = (error) => this.#ended(error);
    return server;
  }

  #ended(error: Error | undefined): void {
    if (this.#closing || !this.restarts || this.#left === 0) return this.onClose?.(error);
    this.#left--;
    this.#server = this.#begin();
    const lost = [...this.#waiting];
    this.#waiting.clear();
    for (const id of lost) this.onLost(id, new Interrupted(error?.message ?? "The server ended"));
  }

  send(text: string, { id, method }: Outgoing = {}): void {
    if (id !== undefined && method !== undefined) this.#waiting.add(id);
    this.#server.send(text);
  }

  over(id: Id): void {
    this.#waiting.delete(id);
  }

  close(): Promise<void> {
    this.#closing = true;
    return this.#server.close();
  }
}
