// A memory server as a process of its own. Many calls can be in flight, and the process can be killed.
import type { Command, Exit } from "@oarlock/client";
import type { Json } from "@oarlock/server-kit/protocol";
import { startRaw, type RawProcess } from "@oarlock/testing";
import { answerOf, Caller, type Answer } from "./caller.ts";
import { dbOf } from "./store-under-test.ts";
import { bin } from "./targets.ts";

/** Just below the limit of a test, so that the error names the call and has the messages of the server. */
const DEADLINE_MS = 55_000;

export class ServerProcess extends Caller {
  readonly process: RawProcess;
  readonly #open = new Map<number, (answer: Answer | undefined) => void>();
  /** Notifications of the server, in order. */
  readonly notices: Json[] = [];
  #asked = 0;
  #isGone = false;

  constructor(command: Command) {
    super();
    this.process = startRaw(command);
  }

  async begin(): Promise<this> {
    await this.process.handshake("2025-11-25");
    void this.#listen();
    return this;
  }

  async #listen(): Promise<void> {
    for (;;) {
      const message = await this.process.message(600_000).catch(() => undefined);
      if (message === undefined) break;
      // A line that is too long is answered without an id.
      const id = message.id === null ? this.#open.keys().next().value : message.id;
      if (typeof id !== "number") {
        this.notices.push(message);
        continue;
      }
      this.#open.get(id)?.(answerOf(message));
      this.#open.delete(id);
    }
    this.#isGone = true;
    for (const tell of this.#open.values()) tell(undefined);
    this.#open.clear();
  }

  /** Any request; undefined when the process ends before it has answered. */
  request(method: string, params: Json, deadlineMs = DEADLINE_MS): Promise<Answer | undefined> {
    if (this.#isGone) return Promise.resolve(undefined);
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no answer to ${method} in ${deadlineMs} ms; stderr: ${this.stderr.slice(-1000)}`)),
        deadlineMs,
      );
      this.#open.set(id, (answer) => (clearTimeout(timer), resolve(answer)));
      void this.process.send({ jsonrpc: "2.0", id, method, params });
    });
  }

  get stderr(): string {
    return this.process.stderr;
  }

  /** Kills the process without a shutdown. */
  async kill(): Promise<void> {
    this.process.kill("SIGKILL");
    await this.process.exited;
  }

  /** Ends the process as a host does. */
  async close(): Promise<Exit> {
    this.process.end();
    return this.process.exit();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
  }
}

/** Starts the server on a store, as a process. */
export const startServer = (
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> => new ServerProcess(bin([`--db=${dbOf(file)}`, ...args], env)).begin();
