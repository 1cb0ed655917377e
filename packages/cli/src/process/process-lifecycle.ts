// Process lifecycle: signals, uncaught errors and the exit code.
import { platform } from "../platform.ts";
import type { TextStream } from "./environment.ts";
import type { StderrLog } from "../stderr-log.ts";

/** Exits once `text` has been handed to the stream, which may be a pipe that is written to later. */
export function exitWith(code: number, stream: TextStream = process.stderr, text = ""): void {
  process.exitCode = code;
  stream.write(text, () => process.exit(code));
}

export interface ProcessLifecycle {
  /** Called on the first signal. Until it is set, a signal exits with code 0. */
  stop: () => void;
  /** Stopping has begun: after this time the process exits with code 1. */
  setDeadline(ms: number): void;
}

/**
 * The same signal within this time is an echo: npx and other wrappers forward a signal that a terminal or a supervisor has sent to the
 * whole process group.
 */
const ECHO_MS = 500;

/**
 * Handles signals and uncaught errors of the process. A further SIGTERM or SIGINT that is not an echo exits immediately with code 1. SIGHUP
 * never does: the terminal was closed, and system and shell may both send it, also right before or after another signal.
 */
export function manageProcess(log: StderrLog): ProcessLifecycle {
  let hasDeadline = false;
  const lifecycle: ProcessLifecycle = {
    stop: () => process.exit(0),
    setDeadline(ms) {
      if (hasDeadline) return;
      hasDeadline = true;
      setTimeout(() => {
        log("critical", `The server did not stop within ${ms} ms: exiting now.`);
        exitWith(1);
      }, ms);
    },
  };
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    log("info", `${signal}: stopping`);
    lifecycle.stop();
  };
  let first: { signal: NodeJS.Signals; at: number } | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    const at = performance.now();
    first ??= { signal, at };
    const mayBeEcho = signal === first.signal || first.signal === "SIGHUP";
    if (signal !== "SIGHUP" && (!mayBeEcho || at - first.at > ECHO_MS)) process.exit(1);
    stop(signal);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  process.on("SIGHUP", onSignal);
  // Windows has no signal for it.
  if (platform !== "win32") process.on("SIGUSR2", () => log("notice", `SIGUSR2: log level ${log.toggleDebug()}`));
  process.on("unhandledRejection", (reason) => log("error", reason instanceof Error ? reason : `Unhandled rejection: ${String(reason)}`));
  process.on("uncaughtException", (error) => {
    log("critical", `Uncaught exception, the server exits: ${describeThrown(error)}`);
    exitWith(1);
  });
  return lifecycle;
}

/** The message of a thrown value and its place in the author's code, on one line. A bug of the kit alone has its place in the kit. */
export function describeThrown(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)} was thrown`;
  const frames = error.stack?.split("\n").filter((line) => line.startsWith("    at ")) ?? [];
  const place = frames.find((line) => !isOwnFrame(line)) ?? frames[0];
  return `${error.name}: ${error.message}${place === undefined ? "" : ` (${place.trim()})`}`.replaceAll("\n", " ");
}

const OWN_FOLDER = new URL(".", import.meta.url).href;

/** Whether a stack frame is in the kit, in this package or in Node: such a place tells the author of a server nothing. */
const isOwnFrame = (line: string): boolean =>
  /[/\\]server-kit[/\\](?:dist|src)[/\\]/.test(line) || line.includes(OWN_FOLDER) || /[( ]node:|\(<anonymous>\)/.test(line);
