// The handshake: `initialize`, a negotiated revision, `notifications/initialized`.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
import { findRevision, isObject, type Implementation, type Json } from "@oarlock/server-kit/protocol";
import { Client } from "../client.ts";
import type { ClientConnection } from "../connection/client-connection.ts";
import type { NegotiatedServer } from "../era.ts";
import { NegotiationError } from "../errors.ts";
import { CLIENT_INFO } from "../options.ts";
import { HandshakeEra } from "./handshake-era.ts";

/** Sends `initialize` with this revision; the server may answer with an older one. */
export async function initialize(connection: ClientConnection, revision: string, signal?: AbortSignal): Promise<NegotiatedServer> {
  const { peer, options } = connection;
  connection.useRevision(revision);
  const params = {
    protocolVersion: revision,
    capabilities: connection.capabilities,
    clientInfo: options.clientInfo === false ? CLIENT_INFO : (options.clientInfo ?? CLIENT_INFO),
  };
  return toNegotiatedServer(await peer.request("initialize", params, { isSilent: true, ...(signal && { signal }) }));
}

/** Completes the handshake, and returns the client of the new session. `revision` is the one that was requested. */
export function startSession(connection: ClientConnection, revision: string, server: NegotiatedServer): Client {
  const { peer, transport } = connection;
  const era = new HandshakeEra(connection, server.capabilities);
  sendInitialized(connection, server);
  transport.onSessionExpired = async () => {
    peer.abortIncomingRequests(new Error("The server has forgotten the session"));
    const current = await initialize(connection, revision);
    sendInitialized(connection, current);
    if (current.revision === server.revision) await era.restoreSubscriptions();
    else await peer.close(`The server has forgotten the session, and its new session has revision ${current.revision}`);
  };
  connection.startKeepAlive((timeoutMs) => era.ping({ timeoutMs }));
  return new Client(server, connection, era);
}

function sendInitialized(connection: ClientConnection, { revision }: NegotiatedServer): void {
  connection.useRevision(revision);
  connection.peer.acceptsBatches = connection.facts.batch;
  connection.transport.revisionNegotiated?.(revision);
  connection.peer.notify("notifications/initialized");
}

/** Validates the result of `initialize`. */
function toNegotiatedServer({ protocolVersion, capabilities, serverInfo, instructions }: Json): NegotiatedServer {
  const revision = findRevision(protocolVersion);
  if (revision?.facts.era !== "handshake")
    throw new NegotiationError(
      `No common protocol revision: the server offers ${String(protocolVersion)}, which this client does not support`,
    );
  if (!isObject(capabilities) || !isObject(serverInfo) || typeof serverInfo.name !== "string" || typeof serverInfo.version !== "string") {
    throw new NegotiationError("Invalid result of initialize: expected capabilities, and serverInfo with a name and a version");
  }
  return {
    revision: revision.id,
    capabilities, // an open set: each use validates its part
    serverInfo: serverInfo as unknown as Implementation, // name and version are strings
    ...(typeof instructions === "string" && { instructions }),
  };
}
