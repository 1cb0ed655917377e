// Runs changing commands through simple-git, which refuses options and settings that could start a program, in every one of them. It reads
// the words of the command as text; the process gets the exact arguments, and is supervised like any other git process.
import type { ChildProcess } from "node:child_process";
import { GitError } from "../errors.ts";
import { commandLine } from "./byte-arguments.ts";
import { inSlot } from "../limits/process-slots.ts";
import { spawnSettings, superviseProcess, type GitCommand, type GitContext, type GitResult } from "./git-process.ts";

interface StartedTask {
  readonly spawned: ChildProcess;
  /** Ends the task of simple-git. */
  close(exitCode: number): void;
}

/** The plugins of an instance. Not a part of the public interface: its version is pinned, and a test runs each use of it. */
interface PluginStore {
  append(type: "spawn.binary" | "spawn.args" | "spawn.options", action: () => unknown): void;
  append(type: "spawn.after", action: (data: unknown, task: StartedTask) => unknown): void;
}

/** Returns the result whatever the exit code. Throws a {@link GitError} for a command with an unsafe option. */
export const runThroughSimpleGit = (context: GitContext, command: GitCommand): Promise<GitResult> =>
  inSlot(command, () => runTask(context, command));

async function runTask(context: GitContext, command: GitCommand): Promise<GitResult> {
  // Loaded with the first change: 20 ms, and many sessions only read.
  const { simpleGit, GitPluginError } = await import("simple-git");
  const instance = simpleGit({ baseDir: context.cwd });
  const [program, args] = commandLine(context.git, command.args);
  // Replaced after the check of simple-git, which knows neither bytes as arguments nor process groups.
  const plugins = pluginsOf(instance);
  plugins.append("spawn.binary", () => program);
  plugins.append("spawn.args", () => args);
  plugins.append("spawn.options", () => spawnSettings(context, command, { ownGroup: true }));
  let result: Promise<GitResult> | undefined;
  plugins.append("spawn.after", (data, { spawned, close }) => {
    // simple-git would keep all of the output.
    for (const stream of [spawned.stdout, spawned.stderr]) stream?.removeAllListeners("data");
    result = superviseProcess(spawned, command, context);
    void result.catch(() => {}).then(() => close(0));
    return data;
  });
  try {
    await instance.raw(command.args.map((arg) => (typeof arg === "string" ? arg : arg.toString("latin1"))));
  } catch (error) {
    if (error instanceof GitPluginError && error.plugin === "unsafe") throw new GitError("unsafe", `Refused: ${error.message}`);
    throw error;
  }
  if (result === undefined) throw new Error("simple-git has not started git.");
  return result;
}

function pluginsOf(instance: object): PluginStore {
  const store: unknown = Reflect.get(instance, "_plugins");
  if (typeof store !== "object" || store === null || typeof Reflect.get(store, "append") !== "function")
    throw new Error("This version of simple-git keeps its plugins elsewhere.");
  // The check above and the test of this file guarantee the shape.
  return store as PluginStore;
}
