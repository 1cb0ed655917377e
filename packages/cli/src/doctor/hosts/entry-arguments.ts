// Entry arguments: which word of the command of a host's entry is the server, and the arguments that the server itself gets.
import { basename } from "node:path";

/** Programs that start a script or a package and pass the rest of their arguments on. Others, such as docker, may change paths. */
const RUNNER = /^(?:node|bun|npx|bunx|cmd|npm|pnpm|yarn)(?:\.exe|\.cmd)?$/i;
const SUBCOMMAND = /^(?:exec|x|dlx|run|\/c)$/i;
const SWITCH_WITH_VALUE = /^(?:-p|--package|-r|--require|--import|--loader|-C|--conditions)$/;

const isRunner = (program: string): boolean => RUNNER.test(basename(program.replaceAll("\\", "/")));

/** The index of the script or package that a runner starts, among its arguments. Undefined where the command is another program. */
export function programIndex(command: string, args: readonly string[]): number | undefined {
  if (!isRunner(command)) return undefined;
  const index = args.findIndex(
    (word, at) => !word.startsWith("-") && !SUBCOMMAND.test(word) && !isRunner(word) && !SWITCH_WITH_VALUE.test(args[at - 1] ?? ""),
  );
  return index === -1 ? undefined : index;
}

/** Whether a word is `oarlock-git`, `@oarlock/git`, or a path with either. */
export function isServer(word: string, server: string): boolean {
  const [scope = "", ...rest] = server.split("-").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const short = rest.join("-");
  const pattern = `(?:^|[/\\\\@])(?:${[scope, ...rest].join("-")}|@?${scope}[/\\\\]${short})(?:$|[/\\\\@.])|servers[/\\\\]${short}[/\\\\](?:dist|src)[/\\\\]bin\\.`;
  return new RegExp(pattern, "i").test(word);
}

/** The arguments of the server itself. Undefined where it is not clear which these are. */
export function serverArguments(command: string, args: readonly string[], server: string): readonly string[] | undefined {
  if (isServer(command, server)) return args;
  const index = programIndex(command, args);
  return index === undefined || !isServer(args[index] ?? "", server) ? undefined : args.slice(index + 1);
}
