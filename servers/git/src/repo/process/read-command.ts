// Runs read-only git commands. Everything that only looks at a repository starts its process here or in `object-reader.ts`.
import { withCopiedIndex } from "./temporary-index.ts";
import { spawnGit, type GitArgument, type GitCommand, type GitContext, type GitResult } from "./git-process.ts";

/** Commands that change nothing and start no other process. `read-tree` fills a temporary index that the environment names. */
const READ_COMMANDS: ReadonlySet<string> = new Set([
  "--version",
  "blame",
  "cat-file",
  "check-attr",
  "check-ignore",
  "config",
  "diff",
  "for-each-ref",
  "grep",
  "hash-object",
  "log",
  "ls-files",
  "ls-tree",
  "read-tree",
  "rev-list",
  "shortlog",
  "show",
  "status",
  "symbolic-ref",
]);

/** Commands that change nothing with one of these subcommands or options only; those of stash start a `git log` or `git diff` of their own. */
const READ_SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  help: ["--config-for-completion"],
  "merge-file": ["--stdout"],
  stash: ["list", "show"],
  worktree: ["list"],
};

export interface ReadOptions {
  /** The configuration of the repository may name programs that git starts. Default false. */
  readonly mayStartPrograms?: boolean;
}

/** Returns the result whatever the exit code. Throws an `Error` for a command that is not in the lists above: a bug in this server. */
export async function runRead(
  context: GitContext,
  command: GitCommand,
  { mayStartPrograms = false }: ReadOptions = {},
): Promise<GitResult> {
  const [name, subcommand] = command.args.map(String);
  if (name === "read-tree" && context.env["GIT_INDEX_FILE"] === undefined) throw new Error("git read-tree needs an index of its own.");
  const isSimple = READ_COMMANDS.has(name ?? "");
  if (!isSimple && !isReadSubcommand(name, subcommand)) throw new Error(`git ${name} is not a read-only command. Use runChange.`);
  if (name === "config" && !["--list", "--get"].some((option) => command.args.includes(option)))
    throw new Error("git config reads with --list or --get only.");
  if (name === "hash-object" && command.args.includes("-w")) throw new Error("git hash-object reads without -w only.");
  const options = { ownGroup: mayStartPrograms || !isSimple };
  const isRefreshed = comparesWorkTree(command.args.map(String)) && context.env["GIT_INDEX_FILE"] === undefined;
  return isRefreshed ? withCopiedIndex(context, (copied) => spawnGit(copied, command, options)) : spawnGit(context, command, options);
}

/** Whether a diff has the work tree on one side: `diff`, and `diff` with one object. */
export function comparesWorkTree([command, ...rest]: readonly string[]): boolean {
  if (command !== "diff" || rest.includes("--cached")) return false;
  const paths = rest.indexOf("--");
  return (paths === -1 ? rest : rest.slice(0, paths)).filter((operand) => !operand.startsWith("-")).length < 2;
}

const isReadSubcommand = (name: GitArgument | undefined, subcommand: string | undefined): boolean =>
  READ_SUBCOMMANDS[String(name)]?.includes(subcommand ?? "") === true;
