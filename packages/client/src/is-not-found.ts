// Recognizes the error of a missing resource, whose code differs between revisions.
// https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling
import { INVALID_PARAMS, isObject, McpError } from "@oarlock/server-kit/protocol";

/** The error code in revisions with a handshake. */
const RESOURCE_NOT_FOUND = -32_002;

/**
 * Whether an error of `read` or `subscribe` means that the resource does not exist. Stateless revisions use the code for invalid
 * params, with the URI in `data`.
 */
export function isNotFound(error: unknown): boolean {
  if (!(error instanceof McpError)) return false;
  return error.code === RESOURCE_NOT_FOUND || (error.code === INVALID_PARAMS && isObject(error.data) && typeof error.data.uri === "string");
}
