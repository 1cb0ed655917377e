// A memory server in this process: for tests with many servers, where processes would take minutes.
import { connectTo, type TestConnection } from "@oarlock/testing";
import type { Json } from "@oarlock/server-kit/protocol";
import { locate } from "../../src/configured-location.ts";
import { createServer } from "../../src/server.ts";
import { dbOf } from "./store-under-test.ts";
import { answerOf, Caller, type Answer } from "./caller.ts";

export class InProcessServer extends Caller {
  readonly #wired: TestConnection;
  readonly #warnings: readonly string[];

  constructor(wired: TestConnection, warnings: readonly string[]) {
    super();
    this.#wired = wired;
    this.#warnings = warnings;
  }

  async request(method: string, params: Json): Promise<Answer> {
    return answerOf({ result: await this.#wired.client.request(method, params) });
  }

  get stderr(): string {
    return this.#warnings.join("\n");
  }

  /** As at the end of the process. */
  async close(): Promise<void> {
    await this.#wired[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Serves a store in this process. */
export async function serveInProcess(file: string): Promise<InProcessServer> {
  const warnings: string[] = [];
  const server = createServer({ location: locate(dbOf(file), {}), warn: (message) => warnings.push(message) });
  return new InProcessServer(await connectTo(server, { revision: "2025-11-25" }), warnings);
}
