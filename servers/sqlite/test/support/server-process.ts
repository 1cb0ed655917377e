// A server process that can be killed. Calls to it may stay without a response.
import type { Json } from "@oarlock/server-kit/protocol";
import { startRaw, toReply, type RawProcess, type ToolReply } from "@oarlock/testing";
import { bin } from "./target.ts";

/** Longer than any test: the reader of responses ends with the process. */
const READ_DEADLINE_MS = 600_000;

export class ServerProcess implements AsyncDisposable {
  readonly process: RawProcess;
  readonly #pending = new Map<unknown, (reply: ToolReply | undefined) => void>();
  #lastId = 0;

  constructor(args: readonly string[]) {
    this.process = startRaw(bin(args));
  }

  async start(): Promise<this> {
    await this.process.handshake();
    void this.#readResponses();
    return this;
  }

  async #readResponses(): Promise<void> {
    for (;;) {
      const message = await this.process.message(READ_DEADLINE_MS).catch(() => undefined);
      if (message === undefined) break;
      this.#pending.get(message.id)?.(toReply(message));
      this.#pending.delete(message.id);
    }
    for (const resolve of this.#pending.values()) resolve(undefined);
    this.#pending.clear();
  }

  /** Calls a tool; undefined if the process ends before it responds. */
  call(name: string, args: Json): Promise<ToolReply | undefined> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      void this.process.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
  }
}

/** Starts a server and shakes hands. */
export const startServer = (args: readonly string[]): Promise<ServerProcess> => new ServerProcess(args).start();
