// Stateless servers, controlled by the test: over a wire, and over HTTP.
import type { ServerResponse } from "node:http";
import { REVISIONS, type Json } from "@oarlock/server-kit/protocol";
import { connect, type Client, type ConnectOptions } from "@oarlock/client";
import { json, ScriptedHttpServer, type Act, type Seen } from "./scripted-http-server.ts";
import { ALL, ScriptedPeer } from "./scripted-peer.ts";

export const NEWEST = REVISIONS[0]!;
const PREFIX = "io.modelcontextprotocol/";

/** What such a server answers to server/discover. */
export const discovered = (capabilities: Json = ALL): Json => ({
  resultType: "complete",
  supportedVersions: [NEWEST],
  capabilities,
  ttlMs: 0,
  cacheScope: "private",
  _meta: { [`${PREFIX}serverInfo`]: { name: "played", version: "1" } },
});

/** A client that has found out that the played server has no sessions. */
export async function connectStateless(
  options: ConnectOptions = {},
  capabilities: Json = ALL,
): Promise<{ peer: ScriptedPeer; client: Client }> {
  const peer = new ScriptedPeer();
  const connecting = connect(peer.wire, { revision: NEWEST, ...options });
  await peer.answer("server/discover", discovered(capabilities));
  return { peer, client: await connecting };
}

/** The same over HTTP; `act` answers what it likes, the rest is answered with the request's params. */
export function serveStateless(act: Act = () => false, capabilities: Json = ALL): Promise<ScriptedHttpServer> {
  return ScriptedHttpServer.start(async (seen, response) => {
    if ((await act(seen, response)) !== false) return;
    const { id, method } = seen.message;
    if (method !== "server/discover") return false;
    json(response, { id, result: discovered(capabilities) });
  });
}

/** Answers with a result. */
export const give = ({ message }: Seen, response: ServerResponse, result: Json): void => json(response, { id: message.id, result });

/** Answers with an error. */
export const refuse = ({ message }: Seen, response: ServerResponse, code: number, status = 400, data?: unknown): void =>
  json(response, { id: message.id, error: { code, message: "no", ...(data !== undefined && { data }) } }, status);

/** The envelope of a request. */
export function envelopeOf(message: Json): { version: unknown; capabilities: unknown; clientInfo: unknown; logLevel: unknown } {
  const meta = ((message.params as Json | undefined)?._meta ?? {}) as Json;
  const [version, capabilities, clientInfo, logLevel] = ["protocolVersion", "clientCapabilities", "clientInfo", "logLevel"].map(
    (key) => meta[PREFIX + key],
  );
  return { version, capabilities, clientInfo, logLevel };
}

/** The params of a request without its envelope. */
export function ownOf(message: Json): Json {
  const { _meta, ...own } = (message.params ?? {}) as Json;
  return own;
}

export const subscriptionId = (id: unknown): Json => ({ _meta: { [`${PREFIX}subscriptionId`]: id } });
