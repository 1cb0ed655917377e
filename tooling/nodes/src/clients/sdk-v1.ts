/** The official client of the first generation: sessions, with resumption. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { RECONNECTION } from "./reconnection.ts";
import { ROOTS, textOf, type ClientKind } from "./load-client.ts";

export const SDK_V1: ClientKind = {
  name: "v1",
  era: "sessions",
  hasTasks: false,
  asksAgain: false,
  async connect({ url, fetch, hooks, requestMs }) {
    const transport = new StreamableHTTPClientTransport(url, { fetch, reconnectionOptions: RECONNECTION });
    const client = new Client(
      { name: "nodes-v1", version: "1.0.0" },
      { capabilities: { roots: { listChanged: true }, elicitation: {}, sampling: {} } },
    );
    client.setRequestHandler(ListRootsRequestSchema, () => {
      hooks.onQuestion("roots", "");
      return { roots: ROOTS };
    });
    client.setRequestHandler(ElicitRequestSchema, ({ params: { message } }) => ({
      action: "accept",
      content: { token: hooks.onQuestion("elicit", message) },
    }));
    client.setRequestHandler(CreateMessageRequestSchema, ({ params: { messages } }) => ({
      role: "assistant",
      model: "nodes",
      content: { type: "text", text: hooks.onQuestion("sample", JSON.stringify(messages)) },
    }));
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => hooks.onLog(params.data));
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => hooks.onUpdated(params.uri));
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => hooks.onListChanged());
    await client.connect(transport, { timeout: requestMs });
    await client.setLoggingLevel("info", { timeout: requestMs });
    return {
      async call(name, args, { signal, onProgress } = {}) {
        const options = {
          timeout: requestMs,
          ...(signal && { signal }),
          ...(onProgress && { onprogress: ({ progress }: { progress: number }) => onProgress(progress) }),
        };
        return textOf(await client.callTool({ name, arguments: args }, undefined, options));
      },
      async subscribe(uri) {
        await client.subscribeResource({ uri }, { timeout: requestMs });
      },
      get session() {
        return transport.sessionId;
      },
      async close() {
        await transport.terminateSession().catch(() => undefined);
        await client.close();
      },
    };
  },
};
