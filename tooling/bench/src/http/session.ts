/** How a client of the revisions with a handshake begins. */
import { header, type Answer } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { post } from "./request.ts";

const REVISION = "2025-06-18";
const VERSION = `mcp-protocol-version: ${REVISION}\r\n`;

async function initialize(connection: Connection, port: number): Promise<Answer> {
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: "bench", version: "1" } };
  const hello = await connection.request(post(port, { jsonrpc: "2.0", id: 1, method: "initialize", params }));
  if (hello.status !== 200) throw refused(hello);
  return hello;
}

async function initialized(connection: Connection, port: number, headers: string): Promise<void> {
  const { status } = await connection.request(post(port, { jsonrpc: "2.0", method: "notifications/initialized" }, headers));
  if (status !== 202) throw new Error(`notifications/initialized was refused with ${status}`);
}

const refused = ({ head, body }: Answer): Error => new Error(`initialize was refused: ${head} ${body.toString().slice(0, 200)}`);

/** Shakes hands and gives the header lines that name the session. */
export async function openSession(connection: Connection, port: number): Promise<string> {
  const hello = await initialize(connection, port);
  const id = header(hello, "mcp-session-id");
  if (id === undefined) throw refused(hello);
  const headers = `mcp-session-id: ${id}\r\n${VERSION}`;
  await initialized(connection, port, headers);
  return headers;
}

/** Shakes hands with a server that needs nothing of it later: a session that it gives out all the same is not used. */
export async function shakeHands(connection: Connection, port: number): Promise<string> {
  await initialize(connection, port);
  await initialized(connection, port, VERSION);
  return VERSION;
}
