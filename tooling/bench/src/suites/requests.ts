/** The requests that the echo servers are measured with. */
import { prepare, type Client, type Prepared } from "../client.ts";
import { echoCall, KIB, MIB, succeeded, textOf } from "./suite.ts";

export interface Request {
  label: string;
  method: string;
  /** Bytes to be sent back, for calls of the tool. */
  echo?: number;
}

export const REQUESTS: readonly Request[] = [
  { label: "ping", method: "ping" },
  { label: "list", method: "tools/list" },
  { label: "echo 64B", method: "tools/call", echo: 64 },
  { label: "echo 4KiB", method: "tools/call", echo: 4 * KIB },
  { label: "echo 1MiB", method: "tools/call", echo: MIB },
];

/** The request, ready to be sent many times. Throws unless the answer to a first one is right. */
export async function checked(client: Client, { method, echo }: Request): Promise<Prepared> {
  const call = echo === undefined ? undefined : echoCall(echo);
  const request = prepare(method, call);
  const answer = succeeded(await client.ask(request));
  if (call !== undefined && textOf(answer) !== call.arguments.message) throw new Error("the echo is not the message");
  if (method === "tools/list" && answer.result?.tools?.length !== 10) throw new Error("tools/list does not list the ten tools");
  return request;
}

/** Lets the compiler settle before anything is timed. */
export async function warmUp(client: Client, ms: number): Promise<void> {
  await client.flood(prepare("tools/call", echoCall(64)), { depth: 16, ms });
}
