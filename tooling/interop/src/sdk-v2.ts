// The official client of the second generation: @modelcontextprotocol/client.
import { Client, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { StdioClientTransport, type StdioServerParameters } from "@modelcontextprotocol/client/stdio";
import { endOf, type End, type Entry, type Handlers, type Official } from "./official.ts";

export interface V2Options {
  mode: VersionNegotiationMode;
  /** The revisions that the client says it knows, the preferred one first; all of them where left out. */
  revisions?: readonly string[];
  /** The transport's class; a class of one's own makes the client probe in place. */
  transport?: typeof StdioClientTransport;
}

export interface OfficialV2 extends Official {
  /** `legacy` or `modern`: what the client itself makes of the server. */
  readonly era: string | undefined;
}

export async function connectV2(server: StdioServerParameters, options: V2Options, { roots, elicit }: Handlers): Promise<OfficialV2> {
  const { mode, revisions, transport: Transport = StdioClientTransport } = options;
  const client = new Client(
    { name: "interop-v2", version: "1.0.0" },
    {
      capabilities: { ...(roots && { roots: { listChanged: true } }), ...(elicit && { elicitation: {} }) },
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
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updated.push(params.uri));
  client.setNotificationHandler("notifications/message", ({ params }) => void log.push(params));
  client.setNotificationHandler("notifications/tools/list_changed", () => void listsChanged.push("tools"));
  client.setNotificationHandler("notifications/resources/list_changed", () => void listsChanged.push("resources"));
  client.setNotificationHandler("notifications/prompts/list_changed", () => void listsChanged.push("prompts"));
  const transport = new Transport({ ...server, stderr: "pipe" });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  await client.connect(transport);
  let ended: Promise<End> | undefined;
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
    call: (name, args = {}, { signal, onProgress } = {}) =>
      client.callTool({ name, arguments: args }, { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) }),
    resources: async (cursor) => (await client.listResources(paged(cursor))).resources,
    templates: async (cursor) => (await client.listResourceTemplates(paged(cursor))).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents,
    subscribe: (uri) => client.subscribeResource({ uri }),
    unsubscribe: (uri) => client.unsubscribeResource({ uri }),
    prompts: async (cursor) => (await client.listPrompts(paged(cursor))).prompts,
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
    complete: async (ref, argument) => (await client.complete({ ref, argument })).completion.values,
    setLevel: (level) => client.setLoggingLevel(level),
    ping: () => client.ping(),
    rootsChanged: () => client.sendRootsListChanged(),
    async close() {
      ended ??= endOf(transport, () => stderr);
      await client.close();
      return ended;
    },
  };
}
