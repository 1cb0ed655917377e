/** Runs programs to their end on every operating system: on Windows `npm` and `npx` are batch files, which Node does not start by itself. */
import { execFile, execFileSync } from "node:child_process";
import { programStart } from "@oarlock/domain-kit";
import { platform } from "../platform.ts";

export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly cwd?: string;
  /** The whole environment. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Text for stdin, which is never a terminal. Default: empty. */
  readonly input?: string;
  readonly timeoutMs?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Runs a program until it exits, with any exit code; -1 where it did not start or was ended by a signal. */
export function runProgram(command: string, args: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> {
  const { cwd, env = process.env, input = "", timeoutMs: timeout = 0 } = options;
  const start = programStart(command, args, { platform, env, cwd });
  return new Promise((resolve) => {
    const child = execFile(start.file, start.args, { cwd, env, timeout, maxBuffer: MAX_BYTES, ...start.options }, (error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr: error !== null && stderr === "" ? error.message : stderr }),
    );
    child.stdin?.on("error", () => undefined).end(input);
  });
}

/** The stdout of a program. Rejects with all of its output when it fails. */
export async function outputOf(command: string, args: readonly string[], options: ProgramOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await runProgram(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed with exit code ${code}:\n${stdout}\n${stderr}`.trimEnd());
  return stdout;
}

/** The same while this process waits. */
export function outputSync(command: string, args: readonly string[], { cwd, env = process.env }: ProgramOptions = {}): string {
  const start = programStart(command, args, { platform, env, cwd });
  return execFileSync(start.file, start.args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], ...start.options });
}
