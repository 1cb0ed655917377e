/** A session of the revisions that have them. */
import { header } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { post } from "./request.ts";

const REVISION = "2025-06-18";

/** Shakes hands and gives the header lines that name the session. */
export async function openSession(connection: Connection, port: number): Promise<string> {
  const version = `mcp-protocol-version: ${REVISION}\r\n`;
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: "bench", version: "1" } };
  const hello = await connection.ask(post(port, { jsonrpc: "2.0", id: 1, method: "initialize", params }));
  const id = header(hello, "mcp-session-id");
  if (hello.status !== 200 || id === undefined)
    throw new Error(`initialize was refused: ${hello.head} ${hello.body.toString().slice(0, 200)}`);
  const headers = `mcp-session-id: ${id}\r\n${version}`;
  const { status } = await connection.ask(post(port, { jsonrpc: "2.0", method: "notifications/initialized" }, headers));
  if (status !== 202) throw new Error(`notifications/initialized was refused with ${status}`);
  return headers;
}
