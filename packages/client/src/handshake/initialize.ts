// The handshake: initialize, an agreed revision, initialized. What it settles holds as long as the client does.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
import { findRevision, isObject, type Implementation, type Json } from "@oarlock/server-kit/protocol";
import { capabilitiesOf } from "../client-requests/client-request-handlers.ts";
import { Client } from "../client.ts";
import { HandshakeFailed } from "../errors.ts";
import { factsOf, type Meeting } from "../connection/connection.ts";
import type { Agreed } from "../era.ts";
import { CLIENT_INFO } from "../options.ts";
import { Sessional } from "./handshake-era.ts";

/** Asks for this revision; ends the connection when no agreement is found. */
export async function meetByHandshake(meeting: Meeting, revision: string, signal = meeting.options.signal): Promise<Client> {
  try {
    return await settle(meeting, revision, await shakeHands(meeting, revision, signal));
  } catch (error) {
    throw await meeting.fail(error);
  }
}

export async function shakeHands(meeting: Meeting, revision: string, signal?: AbortSignal): Promise<Agreed> {
  const { link, handlers, options } = meeting;
  meeting.facts = factsOf(revision);
  const said = {
    protocolVersion: revision,
    capabilities: { ...options.capabilities, ...capabilitiesOf(handlers, meeting.facts) },
    clientInfo: options.clientInfo === false ? CLIENT_INFO : (options.clientInfo ?? CLIENT_INFO),
  };
  return readAgreed(await link.request("initialize", said, { quiet: true, ...(signal && { signal }) }));
}

/** The handshake is through: the session begins. */
export async function settle(meeting: Meeting, revision: string, agreed: Agreed): Promise<Client> {
  const { link, wire, handlers, closed } = meeting;
  const begin = (now: Agreed): void => {
    meeting.facts = factsOf(now.revision);
    link.batches = meeting.facts.batch;
    wire.agreed?.(now.revision);
    link.notify("notifications/initialized");
  };
  const era = new Sessional(meeting, agreed.capabilities);
  begin(agreed);
  wire.onExpired = async () => {
    link.dropQuestions(new Error("The server has forgotten the session"));
    const now = await shakeHands(meeting, revision);
    begin(now);
    if (now.revision !== agreed.revision) return link.close(`The server has forgotten the session, and now speaks ${now.revision}`);
    await era.renew();
  };
  meeting.keepAlive((timeoutMs) => era.ping({ timeoutMs }));
  return new Client(agreed, { link, era, handlers, closed });
}

/** The answer to `initialize`; throws when it names a revision that we do not speak, or is none. */
function readAgreed({ protocolVersion, capabilities, serverInfo, instructions }: Json): Agreed {
  const revision = findRevision(protocolVersion);
  if (revision?.facts.era !== "handshake")
    throw new HandshakeFailed(`The server speaks ${String(protocolVersion)}, which this client does not`);
  if (!isObject(capabilities) || !isObject(serverInfo) || typeof serverInfo.name !== "string" || typeof serverInfo.version !== "string") {
    throw new HandshakeFailed("The server's answer to initialize lacks its capabilities, name or version");
  }
  return {
    revision: revision.id,
    capabilities, // an open set: each use looks at what it needs
    serverInfo: serverInfo as unknown as Implementation, // name and version are strings
    ...(typeof instructions === "string" && { instructions }),
  };
}
