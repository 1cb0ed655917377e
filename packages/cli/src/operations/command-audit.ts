// @oarlock/cli/audit: the audit line of a command that an operator runs, in the file of --audit.
import { userInfo } from "node:os";
import { escapeControlsInJson } from "@oarlock/domain-kit";
import { AuditFile } from "./audit-file.ts";
import { clipMiddle } from "./touched-names.ts";

export interface AuditedCommand {
  /** The value of --audit. Undefined: no line is written. */
  readonly path: string | undefined;
  /** The words of the command: `users forget`. */
  readonly command: string;
  /** The names of what the command reads or changes. */
  readonly touched: readonly string[];
  warn(message: string): void;
}

/** Runs a command and appends its line, also where it fails. Throws a StartError, and runs nothing, where the file cannot be written. */
export async function audited<T>({ path, command, touched, warn }: AuditedCommand, run: () => Promise<T>): Promise<T> {
  if (path === undefined) return await run();
  const file = new AuditFile(path, { warn });
  const append = (outcome: "done" | "failed"): void => {
    const line = { time: new Date().toISOString(), tool: command, outcome, touched: touched.map((name) => clipMiddle(name)) };
    file.append(escapeControlsInJson(JSON.stringify({ ...line, principal: `system:${userInfo().username}`, transport: "command" })));
  };
  try {
    const result = await run();
    append("done");
    return result;
  } catch (error) {
    append("failed");
    throw error;
  }
}
