// Which hook git was running when it failed or was stopped: git writes the start and the end of each into a trace file (trace2).
import { readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemErrorCode, TemporaryFolder } from "@oarlock/domain-kit";

export interface HookRun {
  readonly name: string;
  /** Undefined while it runs. */
  readonly exitCode: number | undefined;
}

/** Hooks may run git themselves, which writes into the same file. */
const MAX_BYTES = 32 * 1024 * 1024;

/** `work` gets a variable for the environment of git, and a function that returns the hook that was started last. */
export async function withHookTrace<T>(
  work: (env: Readonly<Record<string, string>>, lastHook: () => HookRun | undefined) => Promise<T>,
): Promise<T> {
  using folder = new TemporaryFolder(tmpdir());
  const file = join(folder.path, "trace");
  return await work({ GIT_TRACE2_EVENT: file }, () => lastHookIn(textOf(file)));
}

function textOf(file: string): string {
  try {
    return statSync(file).size > MAX_BYTES ? "" : readFileSync(file, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return "";
    throw error;
  }
}

/** `trace`: a JSON object a line; the last one may be cut. */
export function lastHookIn(trace: string): HookRun | undefined {
  let hook: { child: unknown; name: string; exitCode: number | undefined } | undefined;
  let session: unknown;
  for (const line of trace.split("\n")) {
    const event = parseEvent(line);
    session ??= event?.["sid"];
    if (event === undefined || event["sid"] !== session) continue;
    const { event: kind, child_id: child, hook_name: name, child_class: of, code } = event;
    if (kind === "child_start" && of === "hook") hook = { child, name: String(name), exitCode: undefined };
    else if (kind === "child_exit" && hook !== undefined && hook.child === child && typeof code === "number") hook.exitCode = code;
  }
  return hook && { name: hook.name, exitCode: hook.exitCode };
}

function parseEvent(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const event: unknown = JSON.parse(line);
    return typeof event === "object" && event !== null ? { ...event } : undefined;
  } catch {
    return undefined;
  }
}
