/**
 * The ways in which a server is spoken to over HTTP. There is no modern/sse: without sessions the kit streams only what comes
 * before an answer, whatever the request says, and an echo has nothing of that kind.
 */
import type { Connection } from "./connection.ts";
import { HEADERS, META } from "./envelope.ts";
import { openSession } from "./session.ts";

/** With sessions, or without them: requests of the modern era speak for themselves. */
export type Era = "stateful" | "modern";

export interface Mode {
  name: string;
  era: Era;
  /** What a server is told that answers in one way only. */
  env: { RESP: "json" | "sse" };
  /** The content type that answers must have. */
  type: "application/json" | "text/event-stream";
  /** Members of the params of each call. */
  params: object;
  /** Gives the header lines of each call over this connection, after whatever has to come before a first one. */
  enter(connection: Connection, port: number): Promise<string>;
}

export const MODES: readonly Mode[] = [
  { name: "stateful/json", era: "stateful", env: { RESP: "json" }, type: "application/json", params: {}, enter: openSession },
  {
    name: "stateful/sse",
    era: "stateful",
    env: { RESP: "sse" },
    type: "text/event-stream",
    params: { _meta: { progressToken: "progress" } }, // asks those for a stream that choose by the request
    enter: openSession,
  },
  {
    name: "modern/json",
    era: "modern",
    env: { RESP: "json" },
    type: "application/json",
    params: { _meta: META },
    enter: async () => HEADERS,
  },
];
