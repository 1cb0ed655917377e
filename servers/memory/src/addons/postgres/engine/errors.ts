// Makes errors of the memory from errors of Postgres and its driver. No message shows the password: the address is displayName without it.
import { systemErrorCode } from "@oarlock/domain-kit";
import { GraphError } from "../../../graph/errors.ts";

const CONNECTION_CODES = /^(?:ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|ETIMEDOUT|08|57P0)/;
const CONNECTION_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|timeout expired|connection (?:error|closed)/i;

/** Whether Postgres cannot be reached, or has ended the connection. */
export const isAway = (error: unknown): boolean =>
  error instanceof Error && (CONNECTION_CODES.test(systemErrorCode(error) ?? "") || CONNECTION_MESSAGES.test(error.message));

/** Makes a GraphError of an error of Postgres. Returns other errors unchanged. `displayName`: the address without the password. */
export function postgresToGraphError(error: unknown, displayName: string): unknown {
  if (error instanceof GraphError || !(error instanceof Error)) return error;
  const code = systemErrorCode(error) ?? "";
  if (isAway(error))
    return new GraphError(
      "away",
      `Postgres at ${displayName} does not answer (${code === "" ? "timeout" : code}). Nothing was changed. Try again.`,
    );
  switch (code) {
    case "55P03":
    case "40P01":
      return new GraphError("busy", "Memory busy: another process holds its lock. Nothing was changed. Try again.");
    case "57014":
      return new GraphError("busy", "Postgres took too long for this call and ended it. Nothing was changed. Ask for less at once.");
    case "53100":
      return new GraphError("full", "Disk full: Postgres has no space left. Nothing was changed. Make room and try again.");
    case "25006":
    case "42501":
      return new GraphError(
        "read-only",
        `Postgres at ${displayName} refused the change (${code}): this user may not write. Nothing was changed.`,
      );
    case "42P01":
    case "3F000":
      return new GraphError(
        "moved",
        `Tables of the memory are missing in Postgres at ${displayName} (${code}). Restart the server to create them.`,
      );
    default:
      return /^[0-9A-Z]{5}$/.test(code)
        ? new GraphError("io", `Postgres at ${displayName} refused the call (${code}). Nothing was changed.`)
        : error;
  }
}

/** The change may have been made: the connection was lost while it was being committed. */
export const uncertain = (displayName: string): GraphError =>
  new GraphError(
    "away",
    `Connection to Postgres at ${displayName} was lost while the change was being committed: it is not known whether it was made. Read the memory before you repeat it.`,
  );
