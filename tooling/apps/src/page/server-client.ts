// The official client, connected from the page to a server over HTTP, as a host with MCP Apps.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/app-bridge";
import { askUser } from "./elicitation.ts";
import type { PageRequest } from "./request.ts";

export async function connectToServer({ endpoint, revision }: PageRequest): Promise<Client> {
  const client = new Client(
    { name: "oarlock-apps-page", version: "1.0.0" },
    {
      capabilities: { elicitation: {}, extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [RESOURCE_MIME_TYPE] } } },
      versionNegotiation: { mode: revision === undefined ? "legacy" : { pin: revision } },
    },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => await askUser(params));
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)));
  return client;
}
