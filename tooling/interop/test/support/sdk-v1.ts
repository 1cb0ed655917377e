// The official client of the first generation: @modelcontextprotocol/sdk.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Program } from "./built-server.ts";
import type { ListeningServer } from "@oarlock-tooling/test-support/server-process";
import { overNetwork } from "./http-server.ts";
import { capabilitiesOf, observationsOf, sampled, sharedMethods, type Called, type Handlers, type Official } from "./official-client.ts";
import { throughPipes, type ClientTransport } from "./client-transport.ts";

/** To a server that runs already; `headers` go with every request. */
export const httpV1 = (url: URL, headers: Record<string, string> = {}, fetch = globalThis.fetch) =>
  new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch });
export const sseV1 = ({ url }: ListeningServer, headers: Record<string, string> = {}): Transport =>
  new SSEClientTransport(new URL("/sse", url), { requestInit: { headers } });

/** The ways that this client knows to a server of its own. */
export const WAYS_V1: Record<"stdio" | "http" | "sse", (program: Program) => Promise<ClientTransport<Transport>>> = {
  stdio: async (program) => throughPipes(new StdioClientTransport({ ...program, stderr: "pipe" })),
  http: (program) => overNetwork(program, ({ url }) => httpV1(url)),
  sse: (program) => overNetwork({ ...program, args: [...program.args, "--legacy-sse"] }, (listening) => sseV1(listening)),
};

/** This client always asks for its newest revision; here another one is asked for in its stead. Gives what was agreed. */
function asking(transport: Transport, revision: string): () => string | undefined {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const opens = "method" in message && message.method === "initialize";
    return send(opens ? { ...message, params: { ...message.params, protocolVersion: revision } } : message, options);
  };
  // The client passes the negotiated revision only to its transport.
  const agree = transport.setProtocolVersion?.bind(transport);
  let agreed: string | undefined;
  transport.setProtocolVersion = (version) => {
    agreed = version;
    agree?.(version);
  };
  return () => agreed;
}

/** Connects; the revision is agreed, or the client refuses to go on. */
export async function connectV1(transport: Transport, revision: string, handlers: Handlers): Promise<Official> {
  const { roots, elicit, sample } = handlers;
  const client = new Client(
    { name: "interop-v1", version: "1.0.0" },
    {
      capabilities: capabilitiesOf(handlers),
    },
  );
  const seen = observationsOf(client);
  if (roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots() }));
  if (elicit) client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => ({ ...(await elicit(params, signal)) }));
  if (sample) client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => sampled(sample, params.messages));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.updated.push(params.uri));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void seen.log.push(params));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void seen.listsChanged.push("tools"));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void seen.listsChanged.push("resources"));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => void seen.listsChanged.push("prompts"));
  const agreed = asking(transport, revision);
  await client.connect(transport);
  return {
    revision: agreed(),
    ...sharedMethods(client),
    ...seen,
    async call(name, args = {}, { signal, onProgress } = {}) {
      const options = { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) };
      return (await client.callTool({ name, arguments: args }, undefined, options)) as Called; // the client's own default schema has seen to it
    },
    listen: () => Promise.reject(new TypeError("The first generation knows no subscription streams")),
  };
}
