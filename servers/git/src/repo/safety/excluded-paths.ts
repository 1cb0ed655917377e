// Leaves paths out of a command that looks at the work tree.
import type { GitArgument, GitCommand, GitContext } from "../process/git-process.ts";
import { nameFromText } from "../text/file-names.ts";

/** Everywhere else paths are literal by the environment, where nothing can be excluded: here each one is marked as literal. */
export function excludePaths(context: GitContext, command: GitCommand, paths: readonly string[]): readonly [GitContext, GitCommand] {
  if (paths.length === 0) return [context, command];
  const at = command.args.indexOf("--");
  const options = at === -1 ? command.args : command.args.slice(0, at);
  const included = at === -1 ? [] : command.args.slice(at + 1).map((path) => marked(":(literal)", path));
  const excluded = paths.map((path) => marked(":(exclude,literal)", nameFromText(path)));
  const env = { ...context.env, GIT_LITERAL_PATHSPECS: "0" };
  return [
    { ...context, env },
    { ...command, args: [...options, "--", ...included, ...excluded] },
  ];
}

const marked = (mark: string, path: GitArgument): Buffer => Buffer.concat([Buffer.from(mark), Buffer.from(path)]);
