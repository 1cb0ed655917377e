// Runs `doctor --json` of a server, and returns its failed checks.
import type { Command } from "@oarlock/client";
import { mergeVariables } from "@oarlock/domain-kit";
import { platform } from "../platform.ts";
import { runProgram } from "./run-program.ts";

/** One failed check of `doctor`. */
export interface FailedCheck {
  readonly name: string;
  readonly message: string;
  readonly remedy: string;
}

/** The failed checks of a command that ends in `doctor --json …`. Rejects when the exit code, `ok` and the checks do not fit each other. */
export async function doctorFailures({ command, args = [], env }: Command): Promise<readonly FailedCheck[]> {
  const { code, stdout } = await runProgram(command, args, { env: mergeVariables(process.env, env ?? {}, platform), timeoutMs: 60_000 });
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: (FailedCheck & { ok: boolean })[] }; // the report under test
  const failed = checks.filter((check) => !check.ok);
  const isFine = failed.length === 0;
  if (ok !== isFine || code !== (isFine ? 0 : 1) || failed.some(({ remedy }) => !remedy))
    throw new Error(`Inconsistent report (${code}): ${stdout}`);
  return failed.map(({ name, message, remedy }) => ({ name, message, remedy }));
}
