// Tells that a resource is not there from other refusals: revisions have different codes for it.
// https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling
import { INVALID_PARAMS, isObject, McpError } from "@oarlock/server-kit/protocol";

/** The code of revisions with a handshake. */
const RESOURCE_NOT_FOUND = -32_002;

/**
 * Whether an error of `read` or `subscribe` says that there is no such resource. Newer servers say so by the code of invalid
 * params, and name the address beside.
 */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof McpError)) return false;
  return error.code === RESOURCE_NOT_FOUND || (error.code === INVALID_PARAMS && isObject(error.data) && typeof error.data.uri === "string");
}
