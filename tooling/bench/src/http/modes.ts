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

const TYPES = { json: "application/json", sse: "text/event-stream" } as const;

const modeOf = (era: Era, response: keyof typeof TYPES, params: object, enter: Mode["enter"]): Mode => {
  return { name: `${era}/${response}`, era, env: { MODE: era, RESP: response }, type: TYPES[response], params, enter };
};

/** The header lines of each call without a session. Nothing has to come before a first one. */
const HEADERS = `mcp-protocol-version: ${REVISION}\r\nmcp-method: tools/call\r\nmcp-name: echo\r\n`;

const sayNothing = async (): Promise<string> => HEADERS;

export const MODES: readonly Mode[] = [
  modeOf("stateful", "json", {}, openSession),
  modeOf("stateful", "sse", { _meta: PROGRESS }, openSession),
  modeOf("stateless", "json", {}, shakeHands),
  modeOf("stateless", "sse", { _meta: PROGRESS }, shakeHands),
  modeOf("modern", "json", { _meta: META }, sayNothing),
  modeOf("modern", "sse", { _meta: { ...META, ...PROGRESS } }, sayNothing),
];
