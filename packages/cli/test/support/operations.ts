/** A server with --ops-port: its addresses, and a call of one of its tools. */
import type { SampleClient } from "./sample-client.ts";

export const OPERATED = ["--http", "--port=0", "--ops-port=0"];

export const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
export const TRACEPARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`;

/** Waits until the server listens. */
export async function addressesOf(sample: SampleClient): Promise<{ mcp: string; ops: string }> {
  await sample.until("stderr", /listening on http\S+/);
  const [, ops = ""] = /health and metrics on (http:\S+)/.exec(sample.stderr) ?? [];
  const [, mcp = ""] = /listening on (http:\S+)/.exec(sample.stderr) ?? [];
  return { mcp, ops };
}

export const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "0" },
};

export const callOver = (url: string, name: string, headers: Record<string, string> = {}): Promise<Response> =>
  postStateless(url, "tools/call", { name, arguments: {} }, { headers: { "mcp-name": name, ...headers } });

/** Sends a request of the newest era. */
export const postStateless = (
  url: string,
  method: string,
  params: object,
  { headers, signal = null }: { headers: Record<string, string>; signal?: AbortSignal | null },
): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { ...params, _meta: { ...ENVELOPE, traceparent: TRACEPARENT } },
    }),
    signal,
  });

export const page = async (url: string): Promise<string> => {
  const response = await fetch(url);
  return `${response.status} ${(await response.text()).trim()}`;
};
