// --audit: one JSON line for each call of a tool that may change something: who, which tool, what it names, and how it ended. The line of a
// call that became a task is written when the task ends.
import { traceIdOf, type Observation, type ObservedRequest, type Observer, type RequestEnd, type Server } from "@oarlock/server-kit";
import { AuditFile, isPrivate } from "./audit-file.ts";

/** Arguments that name what is touched. Contents, queries and addresses with passwords are in others. */
const NAMING =
  /^(?:path|paths|source|destination|directory|repo_path|files?|database|table|table_name|name|names|new_?name|entity_?names?|entityType|from|to|relationType|branch|branch_name|tag|remote|revision|target|index|start_point|base_branch)$/i;
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 200;
const MAX_DEPTH = 3;

const OUTCOMES: Readonly<Record<RequestEnd["outcome"], string>> = {
  success: "done",
  "tool-error": "failed",
  error: "refused",
  cancelled: "cancelled",
  // Another round of the same call follows with the answer of the user, and with the same `call`.
  "input-required": "asked",
};

interface AuditOptions {
  readonly path: string;
  readonly server: Server;
  readonly warn: (message: string) => void;
  /** See `Start.auditNames`. */
  readonly namesOf?: AuditNames | undefined;
}

/** Further names of what a call changes. `args`: as the client sent them. */
export type AuditNames = (tool: string, args: unknown) => readonly string[];

export interface AuditObserver extends Observer {
  /** Writes the lines of calls that the end of the process cuts off. Synchronous, so that an exit that waits for nothing can call it. */
  stop(): void;
}

/** Throws a StartError when the file cannot be written. */
export function auditObserver({ path, server, warn, namesOf }: AuditOptions): AuditObserver {
  const running = new Set<Observation>();
  const file = new AuditFile(path);
  if (!isPrivate(path)) warn(`Audit file ${JSON.stringify(path)} can be read by other users. Run chmod 600 on it.`);
  const isChanging = ({ method, target }: ObservedRequest): boolean =>
    method === "tools/call" && target !== undefined && server.tools.get(target)?.hints.readOnly !== true;
  return {
    requestStarted(request) {
      if (!isChanging(request)) return undefined;
      const observation: Observation = {
        run: (handler) => handler(),
        ended(end) {
          if (!running.delete(observation)) return;
          try {
            file.append(JSON.stringify(entryOf(request, end, namesOf)));
          } catch (error) {
            warn(`A call is missing in the audit file: ${error instanceof Error ? error.message : String(error)}`);
          }
        },
      };
      running.add(observation);
      return observation;
    },
    stop() {
      for (const observation of running) observation.ended({ outcome: "cancelled" });
    },
  };
}

function entryOf(
  { id, target, principal, client, transport, meta, params }: ObservedRequest,
  end: RequestEnd,
  namesOf: AuditNames = () => [],
): object {
  const args = (params as { arguments?: unknown } | undefined)?.arguments;
  const trace = (meta as { traceparent?: unknown } | undefined)?.traceparent;
  return {
    time: new Date().toISOString(),
    tool: target,
    outcome: OUTCOMES[end.outcome],
    ...(end.code !== undefined && { code: end.code }),
    touched: namesIn(args, namesOf(target ?? "", args)),
    ...(principal !== undefined && { principal: clip(principal) }),
    ...(client !== undefined && { client: clip(client) }),
    transport,
    request: clip(String(id)),
    ...(end.callId !== undefined && { call: end.callId }),
    ...(typeof trace === "string" && trace.length === 55 && { trace: traceIdOf({ traceparent: trace }) }),
  };
}

/** The known names and those in the arguments of a call, each once, the first ones. */
function namesIn(value: unknown, known: readonly string[]): string[] {
  const names = new Set(known.slice(0, MAX_NAMES).map(clip));
  const collect = (part: unknown, isName: boolean, depth: number): void => {
    if (names.size >= MAX_NAMES || depth > MAX_DEPTH) return;
    if (typeof part === "string") {
      if (isName) names.add(clip(part));
    } else if (Array.isArray(part)) for (const item of part) collect(item, isName, depth + 1);
    else if (typeof part === "object" && part !== null)
      for (const [key, member] of Object.entries(part)) collect(member, NAMING.test(key), depth + 1);
  };
  collect(value, false, 0);
  return [...names];
}

/** Directional marks could make a line look like another one; JSON escapes the other control characters. */
const clip = (text: string): string =>
  (text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    "\uFFFD",
  );
