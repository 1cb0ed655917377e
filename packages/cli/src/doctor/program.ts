// Programs: runs one for its version, with a time limit and nothing on its input.
import { spawnSync } from "node:child_process";

const LIMIT_MS = 5000;

export type ProgramRun = { readonly output: string } | { readonly reason: string };

/** The first line of its output, or why there is none. */
export function runProgram(file: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): ProgramRun {
  const { error, status, signal, stdout, stderr } = spawnSync(file, args, {
    encoding: "utf8",
    env,
    maxBuffer: 1_000_000,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
    windowsHide: true,
  });
  const code = error !== undefined && "code" in error ? error.code : undefined;
  if (code === "ETIMEDOUT") return { reason: `no answer within ${LIMIT_MS / 1000} s` };
  if (code === "ENOENT") return { reason: "not found" };
  if (code === "EACCES") return { reason: "permission denied" };
  if (error !== undefined) return { reason: error.message };
  if (status !== 0) return { reason: firstLine(stderr) || `ended with ${signal ?? `code ${status}`}` };
  return { output: firstLine(stdout) };
}

const firstLine = (text: string): string => text.trim().split("\n", 1)[0]?.slice(0, 300) ?? "";
