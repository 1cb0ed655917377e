/** The requests that the echo servers are measured with. */
import { prepare, type Client, type Prepared } from "../client.ts";
import { META } from "../envelope.ts";
import type { Era } from "../http/modes.ts";
import type { Target } from "../target.ts";
import { echoCall, KIB, MIB, succeeded, textOf } from "./suite.ts";

/** Sessions do not exist on stdio: a process has one client. */
export type EraOnStdio = Exclude<Era, "stateless">;

export interface Request {
  label: string;
  method: string;
  /** Bytes to be sent back, for calls of the tool. */
  echo?: number;
  era: EraOnStdio;
}

const REQUESTS: readonly Omit<Request, "era">[] = [
  { label: "ping", method: "ping" },
  { label: "list", method: "tools/list" },
  { label: "echo 64B", method: "tools/call", echo: 64 },
  { label: "echo 4KiB", method: "tools/call", echo: 4 * KIB },
  { label: "echo 1MiB", method: "tools/call", echo: MIB },
];

/** Those that mean the same for this target as for others. The modern era has no ping. */
export const requestsFor = ({ own }: Target, era: EraOnStdio): Request[] =>
  REQUESTS.filter(({ method }) => !(era === "modern" && method === "ping") && !(own === true && method === "tools/list")).map(
    (request) => ({ ...request, era }),
  );

const paramsOf = (era: EraOnStdio, call: object = {}): object => (era === "modern" ? { ...call, _meta: META } : call);

/** The request, ready to be sent many times. Throws unless the answer to a first one is right; `own`: an echo that says more. */
export async function checked(client: Client, { method, echo, era }: Request, own = false): Promise<Prepared> {
  const call = echo === undefined ? undefined : echoCall(echo);
  const request = prepare(method, paramsOf(era, call));
  const answer = succeeded(await client.request(request));
  if (call !== undefined) {
    const text = textOf(answer);
    const { message } = call.arguments;
    if (own ? !text.includes(message) : text !== message) throw new Error("the echo is not the message");
  }
  if (method === "tools/list" && answer.result?.tools?.length !== 10) throw new Error("tools/list does not list the ten tools");
  return request;
}

/** Lets the compiler settle before anything is timed. */
export async function warmUp(client: Client, era: EraOnStdio, ms: number): Promise<void> {
  await client.flood(prepare("tools/call", paramsOf(era, echoCall(64))), { depth: 16, ms });
}
