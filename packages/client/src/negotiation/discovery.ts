// Discovery: finds out by `server/discover` which era and revision a server supports. Servers of the handshake era reject the request.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
import { isObject, McpError, type Implementation, type Json } from "@oarlock/server-kit/protocol";
import type { ClientConnection } from "../connection/client-connection.ts";
import type { NegotiatedServer } from "../era.ts";
import { HttpStatusError, InterruptedError, InvalidResponseError, NegotiationError } from "../errors.ts";
import { Envelope } from "../stateless/envelope.ts";
import { DISCOVER, SERVER_INFO } from "../meta-keys.ts";
import { supportedVersions, UNSUPPORTED_VERSION } from "../stateless/supported-versions.ts";
import { isStateless } from "./revision-choice.ts";

/** Error codes that exist in stateless revisions only. */
const STATELESS_ERROR_CODES: readonly number[] = [-32_020, -32_021, UNSUPPORTED_VERSION];

/** `isUncertain`: the server has not rejected the request, but failed at it. */
export type Discovery = { era: "stateless"; server: NegotiatedServer } | { era: "handshake"; reason: Error; isUncertain?: boolean };

/**
 * Sends `server/discover` in the first stateless one of these revisions, and once more if the server names another revision. Throws
 * errors that do not depend on the era (the server is unreachable, or access is denied), and a `NegotiationError` when client and
 * server have no revision in common.
 */
export async function discover(connection: ClientConnection, revisions: readonly string[], signal?: AbortSignal): Promise<Discovery> {
  let revision = revisions.find(isStateless) ?? "";
  for (let isRetry = false; ; isRetry = true) {
    const response = await sendDiscover(connection, revision, signal);
    if (!(response instanceof Error)) {
      const { supportedVersions: offered } = response;
      if (!Array.isArray(offered))
        return { era: "handshake", reason: new InvalidResponseError(`Invalid result of ${DISCOVER}: expected supportedVersions`) };
      const common = commonRevision(revisions, offered);
      if (isStateless(common)) return { era: "stateless", server: toNegotiatedServer(common, response) };
      return { era: "handshake", reason: new NegotiationError(`The server supports ${common} after a handshake only`) };
    }
    const offered = supportedVersions(response);
    if (offered === undefined) {
      if (isFromHandshakeEra(response)) return { era: "handshake", reason: response };
      if (hasFailed(response)) return { era: "handshake", reason: response, isUncertain: true };
      throw response;
    }
    const common = commonRevision(revisions, offered);
    if (!isStateless(common)) return { era: "handshake", reason: response };
    // A server may reject its own revision; it gets one more request with that revision.
    if (isRetry) throw response;
    revision = common;
  }
}

/** The result of `server/discover`, or the error that it was rejected with. */
async function sendDiscover(connection: ClientConnection, revision: string, signal?: AbortSignal): Promise<Json | Error> {
  const params = new Envelope(revision, connection).wrap();
  try {
    // Silent: a server of the handshake era would not know the request that a cancellation names.
    return await connection.peer.request(DISCOVER, params, { isSilent: true, ...(signal && { signal }) });
  } catch (error) {
    if (error instanceof McpError || error instanceof HttpStatusError || error instanceof InvalidResponseError) return error;
    if (error instanceof InterruptedError) return error;
    throw error;
  }
}

function commonRevision(revisions: readonly string[], offered: readonly unknown[]): string {
  const common = revisions.find((id) => offered.includes(id));
  if (common !== undefined) return common;
  const listed = offered.length === 0 ? "no revision" : offered.map(String).join(", ");
  throw new NegotiationError(`No common protocol revision: the server offers ${listed}, this client ${revisions.join(", ")}`);
}

/** Statuses that concern access or availability, not the era. */
const NEUTRAL_STATUSES = [401, 402, 403, 407, 408, 429];

/** Whether an error is the reaction of a handshake-era server to an unknown request. */
function isFromHandshakeEra(error: Error): boolean {
  if (error instanceof McpError) return !STATELESS_ERROR_CODES.includes(error.code);
  if (error instanceof HttpStatusError) return error.status >= 400 && error.status < 500 && !NEUTRAL_STATUSES.includes(error.status);
  return error instanceof InvalidResponseError;
}

/** Some servers of the handshake era fail at an unknown request: with status 500 or 501, a reset, or an empty stream. */
function hasFailed(error: Error): boolean {
  if (error instanceof InterruptedError) return !error.isUnreachable;
  return error instanceof HttpStatusError && (error.status === 500 || error.status === 501);
}

/** Whether an HTTP error comes from a server that supports stateless revisions. */
export function isFromStatelessEra({ status, body }: HttpStatusError): boolean {
  try {
    const value: unknown = JSON.parse(body);
    const code = isObject(value) && isObject(value.error) ? Number(value.error.code) : 0;
    return STATELESS_ERROR_CODES.includes(code) || (status === 404 && code === -32_601);
  } catch {
    return false;
  }
}

const UNKNOWN_SERVER: Implementation = { name: "unknown", version: "0" };

/** The result of `server/discover`. The server's name is optional. */
function toNegotiatedServer(revision: string, { capabilities, instructions, serverInfo, _meta }: Json): NegotiatedServer {
  const info = [isObject(_meta) ? _meta[SERVER_INFO] : undefined, serverInfo].find(
    (candidate): candidate is Json => isObject(candidate) && typeof candidate.name === "string" && typeof candidate.version === "string",
  );
  return {
    revision,
    capabilities: isObject(capabilities) ? capabilities : {}, // an open set: each use validates its part
    serverInfo: info === undefined ? UNKNOWN_SERVER : (info as unknown as Implementation), // name and version are strings
    ...(typeof instructions === "string" && { instructions }),
  };
}
