// Program start: what to pass to `spawn` for a command, on every operating system.
import { batchCommand } from "./batch-command.ts";
import { findProgram } from "./program-search.ts";
import type { ProgramSystem } from "./system.ts";

export interface ProgramStart {
  readonly file: string;
  readonly args: readonly string[];
  /** For `spawn` and its like. No window opens when a desktop program starts a command. */
  readonly options: { readonly windowsHide: true; readonly windowsVerbatimArguments: boolean };
}

/**
 * How a command is started. On Windows a batch file such as `npx.cmd` is found by `npx` and started through cmd.exe: Node refuses to start it
 * by itself. A command that is not found is left to the system. Throws a BatchWordError for a word that a batch file cannot get.
 * @example
 * const { file, args, options } = programStart("npx", ["-y", "@oarlock/git"], { platform, env });
 * spawn(file, args, { env, ...options });
 */
export function programStart(command: string, args: readonly string[], system: ProgramSystem): ProgramStart {
  const file = system.platform === "win32" ? (findProgram(command, system) ?? command) : command;
  const isBatch = system.platform === "win32" && /\.(?:bat|cmd)$/i.test(file);
  return {
    ...(isBatch ? batchCommand(file, args, system.env) : { file, args }),
    options: { windowsHide: true, windowsVerbatimArguments: isBatch },
  };
}
