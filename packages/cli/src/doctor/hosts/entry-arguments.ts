// Entry arguments: the arguments that the entry of a host gives to the server itself.
import { basename } from "node:path";
import { namesServer } from "./host-entries.ts";

/** Programs that start a script or a package and pass the rest of their arguments on. Others, such as docker, may change paths. */
const RUNNER = /^(?:node|bun|npx|bunx|cmd)(?:\.exe|\.cmd)?$/i;

/** Undefined where it is not clear which these are. */
export function serverArguments(command: string, args: readonly string[], server: string): readonly string[] | undefined {
  if (namesServer("", { command }, server)) return args;
  if (!RUNNER.test(basename(command.replaceAll("\\", "/")))) return undefined;
  const isServer = (word: string, index: number): boolean =>
    !word.startsWith("-") &&
    !/^(?:-p|--package|-r|--require|--import|--loader)$/.test(args[index - 1] ?? "") &&
    namesServer("", { command: word }, server);
  const index = args.findIndex(isServer);
  return index === -1 ? undefined : args.slice(index + 1);
}
