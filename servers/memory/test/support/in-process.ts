// A memory server in this process. Two of them on one file have connections of their own to it, as two processes have.
import { McpError, type Json } from "@oarlock/server-kit/protocol";
import { connectTo, type TestConnection } from "@oarlock/testing";
import { locate } from "../../src/configured-location.ts";
import { createServer, type Options } from "../../src/server.ts";
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
    try {
      return answerOf({ result: await this.#wired.client.request(method, params) });
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      return answerOf({ error: { code: error.code, message: error.message } });
    }
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

/** Serves a store in this process. `options`: as of the command line, which `locate` and `createServer` get too. */
export async function serveInProcess(file: string, options: Partial<Options> = {}): Promise<InProcessServer> {
  const warnings: string[] = [];
  const { location = locate(dbOf(file), {}, options.readOnly) } = options;
  const server = createServer({ ...options, location, warn: (message) => warnings.push(message) });
  return new InProcessServer(await connectTo(server, { revision: "2025-11-25" }), warnings);
}
