/** Plain requests to one node, and its readiness: it opens sessions, as it reaches its engine. */
import { setTimeout as sleep } from "node:timers/promises";

/** A node that is not ready by then takes requests all the same: the engine may be away. */
const READY_MS = 5000;
const PAUSE_MS = 50;

export const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-11-25",
};
const CLIENT = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "nodes-probe", version: "1.0.0" } };
export const INITIALIZE = { id: 1, method: "initialize", params: CLIENT };

export const post = (url: string, message: object, session?: string): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { ...HEADERS, ...(session !== undefined && { "mcp-session-id": session }) },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    signal: AbortSignal.timeout(30_000),
  });

export async function untilReady(url: string): Promise<void> {
  for (const end = performance.now() + READY_MS; performance.now() < end; await sleep(PAUSE_MS)) {
    const response = await post(url, INITIALIZE);
    await response.text();
    if (response.status !== 503) return;
  }
}
