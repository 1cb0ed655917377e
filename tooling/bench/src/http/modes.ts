/** The ways in which a server is spoken to over HTTP. */
import { META, REVISION } from "../envelope.ts";
import type { Connection } from "./connection.ts";
import { openSession, shakeHands } from "./session.ts";

/**
 * How much a server knows of its client: `stateful` shakes hands and has a session; `stateless` is the same revision at a server that
 * gives out no sessions; `modern` requests are stateless. On stdio only the first and the last exist.
 */
export type Era = "stateful" | "stateless" | "modern";

export interface Mode {
  name: string;
  era: Era;
  /** The environment for a server that answers in one way only. */
  env: { MODE: Era; RESP: "json" | "sse" };
  type: "application/json" | "text/event-stream";
  params: object;
  /** Gives the header lines of each call over this connection, after whatever has to come before a first one. */
  enter(connection: Connection, port: number): Promise<string>;
}

/** Asks those for a stream that choose by the request. */
const PROGRESS = { progressToken: "progress" };

const JSON_TYPE = "application/json";
const EVENTS_TYPE = "text/event-stream";

const json = (era: Era, params: object, enter: Mode["enter"]): Mode => {
  return { name: `${era}/json`, era, env: { MODE: era, RESP: "json" }, type: JSON_TYPE, params, enter };
};

const sse = (era: Era, params: object, enter: Mode["enter"]): Mode => {
  return { name: `${era}/sse`, era, env: { MODE: era, RESP: "sse" }, type: EVENTS_TYPE, params, enter };
};

/** The header lines of each call without a session. Nothing has to come before a first one. */
const HEADERS = `mcp-protocol-version: ${REVISION}\r\nmcp-method: tools/call\r\nmcp-name: echo\r\n`;

const sayNothing = async (): Promise<string> => HEADERS;

export const MODES: readonly Mode[] = [
  json("stateful", {}, openSession),
  sse("stateful", { _meta: PROGRESS }, openSession),
  json("stateless", {}, shakeHands),
  sse("stateless", { _meta: PROGRESS }, shakeHands),
  json("modern", { _meta: META }, sayNothing),
  sse("modern", { _meta: { ...META, ...PROGRESS } }, sayNothing),
];
