// The official client of the first generation: @modelcontextprotocol/sdk.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport, type StdioServerParameters } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
  type JSONRPCMessage,
} from "@modelcontextprotocol/sdk/types.js";
import { endOf, type Called, type End, type Entry, type Handlers, type Official } from "./official.ts";

/** This client always asks for its newest revision; here another one is asked for in its stead. */
class Asking extends StdioClientTransport {
  readonly #revision: string;
  agreed: string | undefined;

  constructor(server: StdioServerParameters, revision: string) {
    super(server);
    this.#revision = revision;
  }

  /** The client tells its transport what was agreed, and nobody else. */
  setProtocolVersion(version: string): void {
    this.agreed = version;
  }

  override send(message: JSONRPCMessage): Promise<void> {
    const opens = "method" in message && message.method === "initialize";
    return super.send(opens ? { ...message, params: { ...message.params, protocolVersion: this.#revision } } : message);
  }
}

/** Connects; the revision is agreed, or the client refuses to go on. */
export async function connectV1(server: StdioServerParameters, revision: string, { roots, elicit }: Handlers): Promise<Official> {
  const client = new Client(
    { name: "interop-v1", version: "1.0.0" },
    { capabilities: { ...(roots && { roots: { listChanged: true } }), ...(elicit && { elicitation: {} }) } },
  );
  const updated: string[] = [];
  const log: Entry[] = [];
  const listsChanged: string[] = [];
  const faults: string[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client has this one member, and no events
  client.onerror = (error) => faults.push(error.message);
  if (roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots() }));
  if (elicit) client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => ({ ...(await elicit(params, signal)) }));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void log.push(params));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void listsChanged.push("tools"));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void listsChanged.push("resources"));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => void listsChanged.push("prompts"));
  const transport = new Asking({ ...server, stderr: "pipe" }, revision);
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  await client.connect(transport);
  let ended: Promise<End> | undefined;
  const paged = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });
  return {
    revision: transport.agreed,
    serverInfo: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    updated,
    log,
    listsChanged,
    faults,
    tools: async (cursor) => (await client.listTools(paged(cursor))).tools,
    async call(name, args = {}, { signal, onProgress } = {}) {
      const options = { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) };
      return (await client.callTool({ name, arguments: args }, undefined, options)) as Called; // the client's own default schema has seen to it
    },
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
