/** The official client of the second generation, in both eras. */
import { setTimeout as sleep } from "node:timers/promises";
import { Client, LOG_LEVEL_META_KEY, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  answersOf,
  CAPABILITIES,
  officialOptions,
  RECONNECTION,
  textOf,
  type ClientKind,
  type Connecting,
  type Era,
  type LoadClient,
} from "./load-client.ts";

const kindOf = (era: Era): ClientKind => ({
  ...{ name: "v2", era, hasTasks: false, asksAgain: false },
  connect: (connecting) => connect(connecting, era),
});

export const SDK_V2: readonly ClientKind[] = [kindOf("sessions"), kindOf("stateless")];

async function connect({ url, fetch, hooks, requestMs }: Connecting, era: Era): Promise<LoadClient> {
  const transport = new StreamableHTTPClientTransport(url, { fetch, reconnectionOptions: RECONNECTION });
  const client = new Client(
    { name: "nodes-v2", version: "1.0.0" },
    {
      capabilities: CAPABILITIES,
      versionNegotiation: { mode: era === "sessions" ? "legacy" : { pin: "2026-07-28" } },
    },
  );
  const { roots, elicit, sample } = answersOf(hooks);
  client.setRequestHandler("roots/list", () => ({ roots: roots() }));
  client.setRequestHandler("elicitation/create", ({ params }) => elicit(params));
  client.setRequestHandler("sampling/createMessage", ({ params }) => sample(params));
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
    call: async (name, args, options) =>
      textOf(await client.callTool({ name, arguments: args, ...meta }, officialOptions(requestMs, options))),
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
