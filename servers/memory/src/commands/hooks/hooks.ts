// hooks: install and remove change the settings of a host; run is what the host calls.
import { resolve } from "node:path";
import { changeHooks, HOOK_HOSTS } from "@oarlock/cli/hooks";
import { expandHome } from "../../configured-location.ts";
import type { Graph } from "../../graph/graph.ts";
import { parseArguments, type CommandArguments } from "../arguments.ts";
import { UsageError } from "../context.ts";
import { print } from "../export.ts";
import { readInput, runHook } from "./run-hook.ts";

const IS_URL = /^[a-z][a-z0-9+.-]*:\/\//i;

/** `args`: install or remove, the host, and switches. Returns the exit code. */
export async function changeHooksOf(args: readonly string[]): Promise<number> {
  const at = args.findIndex((arg) => arg === "install" || arg === "remove");
  if (at === -1) throw new UsageError("hooks needs one of install, remove");
  const action = args[at] === "install" ? "install" : "remove";
  const text = await changeHooks({ action, program: "oarlock-memory", args: args.toSpliced(at, 1), command: hookWords });
  await print([text]);
  return 0;
}

/** The words of the hook: with the memory that is configured here, because hosts pass on few variables. Throws a UsageError. */
function hookWords(host: string, rest: readonly string[]): string[] {
  const { words, db: given, scope, maxTokens, project } = parseArguments("hooks", ["run", ...rest]);
  if (words.length > 1) throw new UsageError(`Unexpected argument ${JSON.stringify(words[1])} of command hooks`);
  const configured = given ?? process.env["OARLOCK_DB"] ?? process.env["MEMORY_FILE_PATH"];
  const db = configured === undefined || IS_URL.test(configured) ? configured : resolve(expandHome(configured));
  const switches = { db, scope, "max-tokens": maxTokens, project };
  return [
    "hooks",
    "run",
    host,
    ...Object.entries(switches).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
  ];
}

/** Answers a host. Returns the exit code. */
export async function printHook(
  { words, maxTokens, project }: CommandArguments,
  database: string,
  onGraph: (action: (graph: Graph) => Promise<number>) => Promise<number>,
): Promise<number> {
  const host = HOOK_HOSTS.find((one) => one === words[1]);
  if (words[0] !== "run" || host === undefined || words.length > 2) throw new UsageError(`hooks run needs one of ${HOOK_HOSTS.join(", ")}`);
  const input = await readInput(process.stdin);
  return await onGraph(async (graph) => {
    await print([await runHook({ host, maxTokens, project, database, graph }, input)]);
    return 0;
  });
}
