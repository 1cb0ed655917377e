/** Readiness of a node: it opens sessions, as it reaches its engine. */
import { setTimeout as sleep } from "node:timers/promises";

/** A node that is not ready by then takes requests all the same: the engine may be away. */
const READY_MS = 5000;
const PAUSE_MS = 50;

const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "nodes-readiness", version: "1.0.0" } },
};

export async function untilReady(url: string): Promise<void> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  for (const end = performance.now() + READY_MS; performance.now() < end; await sleep(PAUSE_MS)) {
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(HELLO) });
    await response.text();
    if (response.status !== 503) return;
  }
}
