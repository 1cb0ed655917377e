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
import { capabilitiesOf, observationsOf, sampled, sharedMethods, type Handlers, type Official } from "./official-client.ts";
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
      capabilities: capabilitiesOf(handlers),
      versionNegotiation: { mode },
      ...(revisions && { supportedProtocolVersions: [...revisions] }),
    },
  );
  const seen = observationsOf(client);
  if (roots) client.setRequestHandler("roots/list", () => ({ roots: roots() }));
  if (elicit)
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => ({ ...(await elicit(params, mcpReq.signal)) }));
  if (sample) client.setRequestHandler("sampling/createMessage", ({ params }) => sampled(sample, params.messages));
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void seen.updated.push(params.uri));
  client.setNotificationHandler("notifications/message", ({ params }) => void seen.log.push(params));
  client.setNotificationHandler("notifications/tools/list_changed", () => void seen.listsChanged.push("tools"));
  client.setNotificationHandler("notifications/resources/list_changed", () => void seen.listsChanged.push("resources"));
  client.setNotificationHandler("notifications/prompts/list_changed", () => void seen.listsChanged.push("prompts"));
  await client.connect(transport);
  return {
    era: client.getProtocolEra(),
    revision: client.getNegotiatedProtocolVersion(),
    ...sharedMethods(client),
    ...seen,
    call: (name, args = {}, { signal, onProgress, logLevel } = {}) =>
      client.callTool(
        { name, arguments: args, ...(logLevel && { _meta: { [LOG_LEVEL_META_KEY]: logLevel } }) },
        { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) },
      ),
    async listen(filter) {
      const { honoredFilter, closed, close } = await client.listen(filter);
      return { honored: honoredFilter as typeof filter, ended: closed, close };
    },
  };
}
