// Tells of calls whose connection was lost that their change may have been made.
import type { Client } from "../client.ts";
import { ConnectionClosedError, InterruptedError } from "../errors.ts";

/** How long the list of tools may take after a connection was lost. */
const LIST_MS = 3000;

/** The call was sent, and its answer was lost with the connection. */
export class UnknownOutcomeError extends Error {
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.name = "UnknownOutcomeError";
    this.cause = cause;
  }
}

/** The error itself where the connection was not lost, or where the server says that the tool only reads. */
export async function withUnknownOutcome(client: Client, name: string, error: unknown): Promise<unknown> {
  if (!(error instanceof InterruptedError || error instanceof ConnectionClosedError)) return error;
  return (await isReadOnly(client, name)) ? error : new UnknownOutcomeError(error);
}

/** False too where the server is gone. */
async function isReadOnly(client: Client, name: string): Promise<boolean> {
  try {
    for await (const tool of client.tools({ timeoutMs: LIST_MS })) if (tool.name === name) return tool.annotations?.readOnlyHint === true;
  } catch {
    // The failure of the call is the one to report.
  }
  return false;
}
