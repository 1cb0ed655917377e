// How the process ends: signals, faults, and codes that say which.
import type { LogSink } from "./stderr-log.ts";

/** Ends the process once `text` has been handed over, also where pipes are written to later. */
export function leave(code: number, stream: NodeJS.WriteStream = process.stderr, text = ""): void {
  process.exitCode = code;
  stream.write(text, () => process.exit(code));
}

export interface Life {
  /** What a first signal does. */
  stop: () => void;
  /** The end has begun: it may take this long and no longer. */
  limit(ms: number): void;
}

/** Watches over the process from before the server exists. A second SIGTERM or SIGINT ends it at once. */
export function watchProcess(log: LogSink): Life {
  let limited = false;
  const life: Life = {
    stop: () => process.exit(0),
    limit(ms) {
      if (limited) return;
      limited = true;
      setTimeout(() => {
        log("critical", `did not stop within ${ms} ms: ended by force`);
        leave(1);
      }, ms);
    },
  };
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    log("info", `${signal}: stopping`);
    life.stop();
  };
  let asked = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (asked++ > 0) process.exit(1);
    stop(signal);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  // The terminal has gone. It may come more than once (from the system, from the shell) and right behind another signal: nobody
  // is there to be impatient.
  process.on("SIGHUP", stop);
  process.on("unhandledRejection", (reason) => log("error", reason instanceof Error ? reason : `rejected with ${String(reason)}`));
  process.on("uncaughtException", (error) => {
    log("critical", `unexpected fault, the server ends: ${faultLine(error)}`);
    leave(1);
  });
  return life;
}

/** What was thrown and where, on one line. */
export function faultLine(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)} was thrown`;
  const place = error.stack?.split("\n").find((line) => line.startsWith("    at "));
  return `${error.name}: ${error.message}${place === undefined ? "" : ` (${place.trim()})`}`.replaceAll("\n", " ");
}
