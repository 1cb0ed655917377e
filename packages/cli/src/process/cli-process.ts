// Process of the command line: its arguments, environment and streams, how it serves and how it ends. Tests run a command line on a process in memory.
import type { Server } from "@oarlock/server-kit";
import { guardStdout, serveStdio, writeStdout, type StdioOptions, type StdioServer } from "@oarlock/server-kit/node";
import type { Environment, TextStream } from "./environment.ts";
import { exitWith, manageProcess, type ProcessLifecycle } from "./process-lifecycle.ts";
import type { StderrLog } from "../stderr-log.ts";

/** What the command line uses of the process that it runs in. */
export interface CliProcess {
  /** As in Node: the program, the script and its arguments. */
  readonly argv: readonly string[];
  readonly execArgv: readonly string[];
  readonly env: Environment;
  /** Whether a person types the input. */
  readonly isTerminal: boolean;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  cwd(): string;
  /** Handles signals and uncaught errors from here on, and keeps stdout for protocol messages. */
  manage(log: StderrLog): ProcessLifecycle;
  /** `onEnding` is called when the client closes its end. */
  serveStdio(server: Server, options: StdioOptions, onEnding: () => void): StdioServer;
  /** Whether the command line has the process for itself, and may change its settings. */
  readonly isOwn: boolean;
  /** `action` must be synchronous. */
  onExit(action: () => void): void;
  /** Ends with this exit code once `text` has been handed to `stream`. */
  exit(code: number, stream?: TextStream, text?: string): void;
}

/** The process that Node runs. */
export function thisProcess(): CliProcess {
  const { argv, execArgv, env, stdout, stderr } = process;
  // A reader that closed its end must not crash the server.
  stdout.on("error", () => undefined);
  stderr.on("error", () => undefined);
  return {
    argv,
    execArgv,
    env,
    // Node opens stdin when it is first read.
    get isTerminal() {
      return process.stdin.isTTY && stdout.isTTY;
    },
    stdout: { write: writeStdout },
    stderr,
    cwd: () => process.cwd(),
    manage(log) {
      const lifecycle = manageProcess(log);
      guardStdout();
      return lifecycle;
    },
    serveStdio(server, options, onEnding) {
      const stdio = serveStdio(server, options);
      process.stdin.once("end", onEnding);
      stdout.once("error", onEnding);
      return stdio;
    },
    isOwn: true,
    onExit: (action) => void process.once("exit", action),
    exit: exitWith,
  };
}
