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
import { answersOf, CAPABILITIES, officialOptions, RECONNECTION, textOf, type ClientKind } from "./load-client.ts";

export const SDK_V1: ClientKind = {
  name: "v1",
  era: "sessions",
  hasTasks: false,
  asksAgain: false,
  async connect({ url, fetch, hooks, requestMs }) {
    const transport = new StreamableHTTPClientTransport(url, { fetch, reconnectionOptions: RECONNECTION });
    const client = new Client({ name: "nodes-v1", version: "1.0.0" }, { capabilities: CAPABILITIES });
    const { roots, elicit, sample } = answersOf(hooks);
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots() }));
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params));
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => sample(params));
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => hooks.onLog(params.data));
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => hooks.onUpdated(params.uri));
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => hooks.onListChanged());
    await client.connect(transport, { timeout: requestMs });
    await client.setLoggingLevel("info", { timeout: requestMs });
    return {
      call: async (name, args, options) =>
        textOf(await client.callTool({ name, arguments: args }, undefined, officialOptions(requestMs, options))),
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
