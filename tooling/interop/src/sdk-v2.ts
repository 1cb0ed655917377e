// The official client of the second generation: @modelcontextprotocol/client.
import {
  Client,
  LOG_LEVEL_META_KEY,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Program } from "./built-server.ts";
import { overNetwork } from "./http-server.ts";
import type { Entry, Handlers, Official } from "./official-client.ts";
import { throughPipes, type ClientTransport } from "./client-transport.ts";

/** To a server that runs already; `headers` go with every request. */
export const httpV2 = (url: URL, headers: Record<string, string> = {}, fetch = globalThis.fetch) =>
  new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch });

/** The ways that this client knows to a server of its own. */
export const WAYS_V2: Record<"stdio" | "http", (program: Program) => Promise<ClientTransport<Transport>>> = {
  stdio: async (program) => throughPipes(new StdioClientTransport({ ...program, stderr: "pipe" })),
  http: (program) => overNetwork(program, ({ url }) => httpV2(url)),
};

export interface V2Options {
  mode: VersionNegotiationMode;
  /** The revisions that the client says it knows, the preferred one first; all of them where left out. */
  revisions?: readonly string[];
}

export interface OfficialV2 extends Official {
  /** `legacy` or `modern`: what the client itself makes of the server. */
  readonly era: string | undefined;
}

export async function connectV2(transport: Transport, { mode, revisions }: V2Options, handlers: Handlers): Promise<OfficialV2> {
  const { roots, elicit, sample } = handlers;
  const client = new Client(
    { name: "interop-v2", version: "1.0.0" },
    {
      capabilities: { ...(roots && { roots: { listChanged: true } }), ...(elicit && { elicitation: {} }), ...(sample && { sampling: {} }) },
      versionNegotiation: { mode },
      ...(revisions && { supportedProtocolVersions: [...revisions] }),
    },
  );
  const updated: string[] = [];
  const log: Entry[] = [];
  const listsChanged: string[] = [];
  const faults: string[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client has this one member, and no events
  client.onerror = (error) => faults.push(error.message);
  if (roots) client.setRequestHandler("roots/list", () => ({ roots: roots() }));
  if (elicit)
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => ({ ...(await elicit(params, mcpReq.signal)) }));
  if (sample)
    client.setRequestHandler("sampling/createMessage", ({ params }) => ({
      role: "assistant",
      model: "interop",
      content: { type: "text", text: sample(JSON.stringify(params.messages)) },
    }));
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updated.push(params.uri));
  client.setNotificationHandler("notifications/message", ({ params }) => void log.push(params));
  client.setNotificationHandler("notifications/tools/list_changed", () => void listsChanged.push("tools"));
  client.setNotificationHandler("notifications/resources/list_changed", () => void listsChanged.push("resources"));
  client.setNotificationHandler("notifications/prompts/list_changed", () => void listsChanged.push("prompts"));
  await client.connect(transport);
  const paged = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });
  return {
    era: client.getProtocolEra(),
    revision: client.getNegotiatedProtocolVersion(),
    serverInfo: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    updated,
    log,
    listsChanged,
    faults,
    tools: async (cursor) => (await client.listTools(paged(cursor))).tools,
    call: (name, args = {}, { signal, onProgress, logLevel } = {}) =>
      client.callTool(
        { name, arguments: args, ...(logLevel && { _meta: { [LOG_LEVEL_META_KEY]: logLevel } }) },
        { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) },
      ),
    resources: async (cursor) => (await client.listResources(paged(cursor))).resources,
    templates: async (cursor) => (await client.listResourceTemplates(paged(cursor))).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompts: async (cursor) => (await client.listPrompts(paged(cursor))).prompts,
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
    complete: async (ref, argument) => (await client.complete({ ref, argument })).completion.values,
    subscribe: (uri) => client.subscribeResource({ uri }),
    unsubscribe: (uri) => client.unsubscribeResource({ uri }),
    setLevel: (level) => client.setLoggingLevel(level),
    ping: () => client.ping(),
    rootsChanged: () => client.sendRootsListChanged(),
    async listen(filter) {
      const { honoredFilter, closed, close } = await client.listen(filter);
      return { honored: honoredFilter as typeof filter, ended: closed, close };
    },
    close: () => client.close(),
  };
}
