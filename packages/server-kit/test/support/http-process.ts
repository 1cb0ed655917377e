// A server over HTTP in a process of its own, which can be asked what it holds.
import { nodeCommand } from "../../../testing/src/process/node-command.ts";
import { startRaw, type RawProcess } from "../../../testing/src/process/raw-process.ts";
import type { HttpServer, ServeHttpOptions } from "../../src/node.ts";

export interface Held {
  /** Bytes that live after a collection. */
  heap: number;
  counts: ReturnType<HttpServer["counts"]>;
  /** How many of each kind keep the process alive. */
  resources: Record<string, number>;
}

export interface HttpProcess extends AsyncDisposable {
  readonly raw: RawProcess;
  readonly port: number;
  readonly url: string;
  /** Open sessions, streams and running requests. Collects no garbage, so that a poll may ask often. */
  count(): Promise<Held["counts"]>;
  measure(): Promise<Held>;
}

export async function startHttpProcess(options: ServeHttpOptions = {}, nodeOptions?: string): Promise<HttpProcess> {
  const file = new URL("../transports/http/fixtures/http-process.ts", import.meta.url);
  const raw = startRaw(nodeCommand(file, [JSON.stringify(options)], { NODE_OPTIONS: nodeOptions }));
  const { port } = (await raw.message()) as { port: number };
  const replyTo = async (what: string): Promise<unknown> => {
    await raw.send(what);
    return await raw.message();
  };
  return {
    raw,
    port,
    url: `http://127.0.0.1:${port}/mcp`,
    count: async () => (await replyTo("count")) as Held["counts"],
    measure: async () => (await replyTo("measure")) as Held,
    [Symbol.asyncDispose]: () => raw[Symbol.asyncDispose](),
  };
}
