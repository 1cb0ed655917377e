// Warnings about callers that have reached a limit: one line a minute for each, so that no caller can flood the log.
import type { ObservedRefusal, Observer } from "@oarlock/server-kit";
import { quoted } from "../start/start-error.ts";
import type { LogSink } from "../stderr-log.ts";

const INTERVAL_MS = 60_000;
/** Callers that are kept; beyond that many, all are forgotten. */
const MAX_CALLERS = 1000;
const MAX_NAME_LENGTH = 256;

export function limitWarnings(log: LogSink, now: () => number = () => performance.now()): Observer {
  const callers = new Map<string, { lastMs: number; unwritten: number }>();
  return {
    requestStarted: () => undefined,
    requestRefused({ limit, status, caller = "all callers" }: ObservedRefusal) {
      if (limit === undefined) return;
      const known = callers.get(caller);
      if (known !== undefined && now() - known.lastMs < INTERVAL_MS) return void known.unwritten++;
      if (callers.size >= MAX_CALLERS) callers.clear();
      callers.set(caller, { lastMs: now(), unwritten: 0 });
      const more = known === undefined || known.unwritten === 0 ? "" : ` Since the last such line ${known.unwritten} more were refused.`;
      log(
        "warning",
        `Refused a request of ${quoted(caller.slice(0, MAX_NAME_LENGTH))} with status ${status}: limit ${limit} reached.${more}`,
      );
    },
  };
}
