// The two generations of the official client, as FieldClients. The first one also calls through programs between client and server.
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { textOf, textOfCall, type Elicit, type FieldClient, type FieldSession } from "../../src/field/field-client.ts";

const INFO = { name: "trial", version: "1.0.0" };
const CAPABILITIES = { elicitation: { form: {} } };

export async function officialSession(transport: Transport, elicit: Elicit): Promise<FieldSession> {
  const client = new Client(INFO, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params.message));
  await client.connect(transport);
  return sessionOf(client);
}

const sessionOf = (client: Client | ClientV2): FieldSession => ({
  list: async () => (await client.listTools()).tools.map(({ name }) => name),
  call: (name, args) => textOfCall(client.callTool({ name, arguments: args })),
  read: async (uri) => textOf(await client.readResource({ uri })),
  close: () => client.close(),
});

export const sdkV1: FieldClient = {
  name: "@modelcontextprotocol/sdk",
  kind: "official client, first generation",
  cannot: {},
  connect(target, { elicit }) {
    const transport =
      target.over === "http"
        ? new StreamableHTTPClientTransport(new URL(target.url))
        : new StdioClientTransport({ command: target.command, args: [...target.args], env: { ...target.env } });
    // With exactOptionalPropertyTypes its transports do not fit its own interface.
    return officialSession(transport as Transport, elicit);
  },
};

export const sdkV2: FieldClient = {
  name: "@modelcontextprotocol/client",
  kind: "official client, second generation",
  cannot: {},
  async connect(target, { elicit }) {
    const client = new ClientV2(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode: "auto" } });
    client.setRequestHandler("elicitation/create", ({ params }) => elicit(params.message));
    const transport =
      target.over === "http"
        ? new HttpV2(new URL(target.url))
        : new StdioV2({ command: target.command, args: [...target.args], env: { ...target.env } });
    await client.connect(transport);
    return sessionOf(client);
  },
};
