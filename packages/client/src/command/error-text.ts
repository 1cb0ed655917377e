// What the command prints for an error: what went wrong and what to do, in a sentence or two.
import { isObject, McpError } from "@oarlock/server-kit/protocol";
import { ConnectionClosedError, HttpStatusError, InterruptedError } from "../errors.ts";
import { BY_CLIENT_OPTION, BY_HEADER } from "../oauth/oauth-error.ts";
import { ServerExitError } from "../transports/stdio/server-process.ts";
import { UnknownOutcomeError } from "./unknown-outcome.ts";

/** @param argv The words of the command line, which name the server. */
export function errorText(error: unknown, argv: readonly string[]): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof McpError)
    return `${error.message}${isObject(error.data) ? ` ${JSON.stringify(error.data)}` : ""} (code ${error.code})`;
  if (error instanceof UnknownOutcomeError)
    return `${errorText(error.cause, argv).replace(/(?<!\.)$/, ".")} The change may or may not have been made: check before you repeat the call.`;
  if (codeOf(error) === "ENOENT" && argv.includes("--")) return `Command ${JSON.stringify(argv[argv.indexOf("--") + 1])} not found.`;
  const [unreachable] = /\b(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN)\b/.exec(error.message) ?? [];
  if (unreachable !== undefined)
    return `Server at ${serverIn(argv) ?? "this address"} not reachable (${unreachable}). Check the address, and that the server runs.`;
  if (error instanceof HttpStatusError && error.status === 404)
    return `${error.message}. Check the path of the address: many servers have /mcp.`;
  if (error instanceof HttpStatusError && error.status === 401) return refusedToken(error);
  if (error instanceof ConnectionClosedError || error instanceof InterruptedError) return withCause(error);
  // A header on the command line shows in the list of processes.
  return error.message
    .replace(BY_HEADER, "with --token-file FILE.")
    .replace(BY_CLIENT_OPTION, "Log in from code with the option client of authorizeUser, or pass a token with --token-file FILE.");
}

/** The address of the server, without what may be secret: user info and parameters. */
function serverIn(argv: readonly string[]): string | undefined {
  const url = URL.parse(argv.find((word) => /^https?:/i.test(word)) ?? "");
  return url === null ? undefined : `${url.origin}${url.pathname}`;
}

function refusedToken({ body }: HttpStatusError): string {
  const reason = reasonOf(body);
  return `The server refuses this token${reason === undefined ? "." : `: ${reason.replace(/(?<!\.)$/, ".")}`} Check it, or ask the operator of the server for another one, and pass it with --token-file FILE.`;
}

/** The message of a JSON-RPC error. */
function reasonOf(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) && isObject(value["error"]) && typeof value["error"]["message"] === "string"
      ? value["error"]["message"]
      : undefined;
  } catch {
    return undefined;
  }
}

function withCause({ message, cause }: Error): string {
  // The stderr of the process has been shown already.
  if (cause instanceof ServerExitError) return `${cause.summary}.`;
  return cause instanceof Error && cause.message !== message ? `${message}. ${cause.message}` : message;
}

/** The code of the error or of one of its causes. */
function codeOf(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if ("code" in at && typeof at.code === "string") return at.code;
  return undefined;
}
