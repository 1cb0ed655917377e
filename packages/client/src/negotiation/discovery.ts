// Finds out how a server speaks, by `server/discover`: what its answer, its refusal or its silence says.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
import { findRevision, isObject, McpError, type Implementation, type Json } from "@oarlock/server-kit/protocol";
import type { Agreed } from "../era.ts";
import { BadAnswer, HandshakeFailed, HttpRefused } from "../errors.ts";
import { SERVER_INFO } from "../stateless/envelope.ts";

export const DISCOVER = "server/discover";

const UNSUPPORTED_VERSION = -32_022;
/** Errors that only servers of this era know. */
const MODERN: readonly number[] = [-32_020, -32_021, UNSUPPORTED_VERSION];

export type Found = { era: "stateless"; agreed: Agreed } | { era: "handshake"; why: Error };

const eraOf = (id: string): string | undefined => findRevision(id)?.facts.era;

/** What a server says that it speaks, when it refuses a request for its version. */
export function supportedBy(error: unknown): readonly unknown[] | undefined {
  if (!(error instanceof McpError) || error.code !== UNSUPPORTED_VERSION || !isObject(error.data)) return undefined;
  return Array.isArray(error.data.supported) ? error.data.supported : undefined;
}

/**
 * Asks in the first of these revisions that has no handshake. Throws what says nothing about the era (the server cannot be
 * reached, or lets nobody in), and `HandshakeFailed` when no revision is spoken by both sides.
 */
export async function probe(ask: (revision: string) => Promise<Json>, ours: readonly string[]): Promise<Found> {
  const speak = (supported: readonly unknown[]): string => {
    const mutual = ours.find((id) => supported.includes(id));
    if (mutual !== undefined) return mutual;
    const theirs = supported.length === 0 ? "no revision at all" : supported.map(String).join(", ");
    throw new HandshakeFailed(`The server speaks ${theirs}, which this client does not`);
  };
  let revision = ours.find((id) => eraOf(id) === "stateless") ?? "";
  for (let refused = false; ; refused = true) {
    try {
      const result = await ask(revision);
      const { supportedVersions } = result;
      if (!Array.isArray(supportedVersions)) throw new BadAnswer("The server's answer to server/discover names no versions");
      const mutual = speak(supportedVersions);
      if (eraOf(mutual) === "handshake")
        return { era: "handshake", why: new HandshakeFailed(`The server speaks ${mutual} by a handshake`) };
      return { era: "stateless", agreed: readDiscovered(mutual, result) };
    } catch (error) {
      const supported = supportedBy(error);
      if (supported === undefined) {
        if (isHandshake(error)) return { era: "handshake", why: error };
        throw error;
      }
      const mutual = speak(supported);
      if (eraOf(mutual) === "handshake") return { era: "handshake", why: error as McpError }; // supportedBy has looked
      // It is told once more what it has asked for, even if that is the same.
      if (refused) throw error;
      revision = mutual;
    }
  }
}

/** Says nothing about the era: who asks is not let in, or the server cannot just now. */
const NO_EVIDENCE = [401, 402, 403, 407, 408, 429];

/** Whether this is what servers that want a handshake say to a stranger: anything but what only newer ones know. */
function isHandshake(error: unknown): error is Error {
  if (error instanceof McpError) return !MODERN.includes(error.code);
  if (error instanceof HttpRefused) return error.status >= 400 && error.status < 500 && !NO_EVIDENCE.includes(error.status);
  return error instanceof BadAnswer;
}

/** Whether a refusal shows that the server is no older one. */
export function isModern({ status, body }: HttpRefused): boolean {
  try {
    const value: unknown = JSON.parse(body);
    const code = isObject(value) && isObject(value.error) ? Number(value.error.code) : 0;
    return MODERN.includes(code) || (status === 404 && code === -32_601);
  } catch {
    return false;
  }
}

const NOBODY: Implementation = { name: "unknown", version: "0" };

/** A name is for showing only, so a server may go without. */
function readDiscovered(revision: string, { capabilities, instructions, serverInfo, _meta }: Json): Agreed {
  const named = [isObject(_meta) ? _meta[SERVER_INFO] : undefined, serverInfo].find(
    (info): info is Json => isObject(info) && typeof info.name === "string" && typeof info.version === "string",
  );
  return {
    revision,
    capabilities: isObject(capabilities) ? capabilities : {}, // an open set: each use looks at what it needs
    serverInfo: named === undefined ? NOBODY : (named as unknown as Implementation), // name and version are strings
    ...(typeof instructions === "string" && { instructions }),
  };
}
