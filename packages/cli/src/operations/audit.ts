// --audit: one JSON line for each call of a tool that may change something: who, which tool, what it names, and how it ended. The line of a
// call that became a task is written when the task ends.
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { escapeControlsInJson } from "@oarlock/domain-kit";
import {
  readTrace,
  traceIdOf,
  type Observation,
  type ObservedRequest,
  type Observer,
  type RequestEnd,
  type Server,
} from "@oarlock/server-kit";
import { exposedMode } from "../start/file-mode.ts";
import { AuditFile } from "./audit-file.ts";
import { clipMiddle, touchedNames, type Touched } from "./touched-names.ts";

const OUTCOMES: Readonly<Record<RequestEnd["outcome"], string>> = {
  success: "done",
  "tool-error": "failed",
  error: "refused",
  cancelled: "cancelled",
  // Another round of the same call follows with the answer of the user, and with the same `call`.
  "input-required": "asked",
};

const CHANGES = "oarlock:changes";

interface AuditOptions {
  readonly path: string;
  readonly server: Server;
  readonly warn: (message: string) => void;
  /** See `Start.auditNames`. */
  readonly namesOf?: AuditNames | undefined;
}

/** Further names of what a call was meant to change. `args`: as the client sent them. */
export type AuditNames = (tool: string, args: unknown) => readonly string[];

export interface AuditObserver extends Observer {
  /** Writes the lines of calls that the end of the process cuts off. Synchronous, so that an exit that waits for nothing can call it. */
  stop(): void;
}

/** Throws a StartError when the file cannot be written. */
export function auditObserver({ path, server, warn, namesOf }: AuditOptions): AuditObserver {
  const running = new Set<Observation>();
  /** What the running call has changed, as `reportChange` of @oarlock/domain-kit announces it. */
  const changedBy = new AsyncLocalStorage<Set<string>>();
  const onChange = (names: unknown): void => {
    for (const name of names as readonly string[]) changedBy.getStore()?.add(name); // of `reportChange`
  };
  const file = new AuditFile(path, { warn });
  subscribe(CHANGES, onChange);
  if (exposedMode(path) !== undefined) warn(`Audit file ${JSON.stringify(path)} can be read by other users. Run chmod 600 on it.`);
  const isChanging = ({ method, target }: ObservedRequest): boolean =>
    method === "tools/call" && target !== undefined && server.tools.get(target)?.hints.readOnly !== true;
  return {
    requestStarted(request) {
      if (!isChanging(request)) return undefined;
      const changed = new Set<string>();
      const observation: Observation = {
        run: (handler) => changedBy.run(changed, handler),
        ended(end) {
          if (!running.delete(observation)) return;
          try {
            // Directional marks could make a line look like another one.
            const args = (request.params as { arguments?: unknown } | undefined)?.arguments;
            const known = [...changed, ...(namesOf?.(request.target ?? "", args) ?? [])];
            const touched = touchedNames(args, known, declaredArguments(server, request.target));
            file.append(escapeControlsInJson(JSON.stringify(entryOf(request, end, touched))));
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
      unsubscribe(CHANGES, onChange);
    },
  };
}

const declaredArguments = (server: Server, tool = ""): readonly string[] =>
  Object.keys(server.tools.get(tool)?.listing().inputSchema.properties ?? {});

function entryOf({ id, target, principal, client, transport, meta }: ObservedRequest, end: RequestEnd, touched: Touched): object {
  const trace = readTrace(meta);
  return {
    time: new Date().toISOString(),
    tool: target,
    outcome: OUTCOMES[end.outcome],
    ...(end.code !== undefined && { code: end.code }),
    ...touched,
    ...(principal !== undefined && { principal: clipMiddle(principal) }),
    ...(client !== undefined && { client: clipMiddle(client) }),
    transport,
    request: clipMiddle(String(id)),
    ...(end.callId !== undefined && { call: end.callId }),
    ...(trace !== undefined && { trace: traceIdOf(trace) }),
  };
}
