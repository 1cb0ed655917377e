/** The server under load in the growth tests of the kit, and the messages sent to it. */
import { defineServer, fromJsonSchema, resource, tool, type RuntimeOptions, type Server } from "@oarlock/server-kit";
import type { Prepare } from "../growth.ts";

/** One kind of work, measured at `size` and at four times that size. */
export interface Case {
  size: number;
  bound: number;
  prepare: Prepare;
}

export type Json = Record<string, unknown>;

export const MANY = 1_000_000;
const limits: RuntimeOptions["limits"] = {
  ...{ concurrency: MANY, queue: MANY, callsPerSecond: MANY, subscriptions: MANY, subscriptionStreams: MANY, logsPerSecond: MANY },
  messageBytes: 64 * MANY,
};

const any = fromJsonSchema<Json>({ type: "object" }, () => undefined);

/** Pending calls of the tool `wait` finish when this promise resolves. */
let release = Promise.withResolvers<string>();
export function releaseWaitingCalls(): void {
  release.resolve("released");
  release = Promise.withResolvers<string>();
}

export const makeServer = (): Server =>
  defineServer({
    name: "growth",
    version: "1.0.0",
    limits,
    tools: [
      tool({ name: "echo", input: any, run: ({ message }) => String(message) }),
      tool({ name: "soon", run: async () => "soon" }),
      tool({ name: "wait", run: (_input, { signal }) => Promise.race([release.promise, aborted(signal)]) }),
      tool({
        name: "log",
        input: any,
        run({ times }, { log }) {
          for (let time = 0; time < Number(times); time++) log.info(time);
          return "logged";
        },
      }),
    ],
    resources: [resource({ uri: "growth://all", name: "all", read: () => "all", watch: () => () => undefined })],
  });

const aborted = (signal: AbortSignal): Promise<string> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));

export const request = (id: number, method: string, params: Json = {}): string => JSON.stringify({ jsonrpc: "2.0", id, method, params });
export const call = (id: number, name: string, args: Json = {}): string => request(id, "tools/call", { name, arguments: args });
export const INITIALIZE = request(0, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "g", version: "0" },
});
export const READY = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
