/** The official client of the second generation, in both eras. */
import { setTimeout as sleep } from "node:timers/promises";
import { Client, LOG_LEVEL_META_KEY, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { RECONNECTION } from "./reconnection.ts";
import { ROOTS, textOf, type ClientKind, type Connecting, type Era, type LoadClient } from "./load-client.ts";

export const SDK_V2_SESSIONS: ClientKind = {
  name: "v2",
  era: "sessions",
  hasTasks: false,
  asksAgain: false,
  connect: (connecting) => connect(connecting, "sessions"),
};

export const SDK_V2_STATELESS: ClientKind = {
  name: "v2",
  era: "stateless",
  hasTasks: false,
  asksAgain: false,
  connect: (connecting) => connect(connecting, "stateless"),
};

async function connect({ url, fetch, hooks, requestMs }: Connecting, era: Era): Promise<LoadClient> {
  const transport = new StreamableHTTPClientTransport(url, { fetch, reconnectionOptions: RECONNECTION });
  const client = new Client(
    { name: "nodes-v2", version: "1.0.0" },
    {
      capabilities: { roots: { listChanged: true }, elicitation: {}, sampling: {} },
      versionNegotiation: { mode: era === "sessions" ? "legacy" : { pin: "2026-07-28" } },
    },
  );
  client.setRequestHandler("roots/list", () => {
    hooks.onQuestion("roots", "");
    return { roots: ROOTS };
  });
  client.setRequestHandler("elicitation/create", ({ params }) => ({
    action: "accept" as const,
    content: { token: hooks.onQuestion("elicit", params.message) },
  }));
  client.setRequestHandler("sampling/createMessage", ({ params }) => ({
    role: "assistant" as const,
    model: "nodes",
    content: { type: "text" as const, text: hooks.onQuestion("sample", JSON.stringify(params.messages)) },
  }));
  client.setNotificationHandler("notifications/message", ({ params }) => hooks.onLog(params.data));
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => hooks.onUpdated(params.uri));
  client.setNotificationHandler("notifications/tools/list_changed", () => hooks.onListChanged());
  await client.connect(transport, { timeout: requestMs });
  if (era === "sessions") await client.setLoggingLevel("info", { timeout: requestMs });
  const meta = era === "stateless" ? { _meta: { [LOG_LEVEL_META_KEY]: "info" as const } } : {};
  const closing = new AbortController();
  /** The client does not open a broken subscription again by itself. */
  async function listen(uri: string): Promise<void> {
    const { closed } = await client.listen({ resourceSubscriptions: [uri], toolsListChanged: true });
    void closed.then(async () => {
      for (let attempt = 0; !closing.signal.aborted && attempt < RECONNECTION.maxRetries; attempt++) {
        await sleep(RECONNECTION.initialReconnectionDelay);
        const isOpen = await listen(uri).then(
          () => true,
          () => false,
        );
        if (!isOpen) continue;
        // Changes may have been missed meanwhile.
        hooks.onUpdated(uri);
        hooks.onListChanged();
        return;
      }
    });
  }
  return {
    async call(name, args, { signal, onProgress } = {}) {
      const options = {
        timeout: requestMs,
        ...(signal && { signal }),
        ...(onProgress && { onprogress: ({ progress }: { progress: number }) => onProgress(progress) }),
      };
      return textOf(await client.callTool({ name, arguments: args, ...meta }, options));
    },
    async subscribe(uri) {
      if (era === "sessions") await client.subscribeResource({ uri }, { timeout: requestMs });
      else await listen(uri);
    },
    get session() {
      return transport.sessionId;
    },
    async close() {
      closing.abort();
      if (era === "sessions") await transport.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
}
