// Program search: the file that a command names, as a path or in the folders of PATH.
import { isExecutableFile, pathRulesOf, variableOf, type ProgramSystem } from "./system.ts";

/** What Windows can start, with a default order as in PATHEXT. Files of other kinds, such as `.js`, belong to a program that opens them. */
const STARTABLE = [".COM", ".EXE", ".BAT", ".CMD"];

/**
 * The path of the file that `command` names; undefined if there is none. On Windows the ending may be left out, as in `npx` for `npx.cmd`.
 * A file without an ending is never meant there: beside `npx.cmd` lies `npx`, a script for other shells.
 */
export function findProgram(command: string, system: ProgramSystem): string | undefined {
  const { platform, cwd = process.cwd(), isProgram = isExecutableFile } = system;
  const { resolve, join } = pathRulesOf(platform);
  const isPath = (platform === "win32" ? /[/\\:]/ : /\//).test(command);
  const places = isPath ? [resolve(cwd, command)] : searchFolders(system).map((folder) => join(folder, command));
  return places.flatMap((place) => endingsOf(command, system).map((ending) => place + ending)).find(isProgram);
}

function searchFolders(system: ProgramSystem): string[] {
  const folders = (variableOf("PATH", system) ?? "").split(pathRulesOf(system.platform).delimiter);
  const unquoted = system.platform === "win32" ? folders.map((folder) => folder.replaceAll('"', "")) : folders;
  return unquoted.filter((folder) => folder !== "");
}

/** The endings to try, in order; the empty one stands for the name as it is. */
function endingsOf(command: string, system: ProgramSystem): string[] {
  if (system.platform !== "win32") return [""];
  const listed = (variableOf("PATHEXT", system) ?? "").toUpperCase().split(";");
  const endings = listed.filter((ending) => STARTABLE.includes(ending));
  const ordered = endings.length > 0 ? endings : STARTABLE;
  const hasEnding = STARTABLE.some((ending) => command.toUpperCase().endsWith(ending));
  return [...(hasEnding ? [""] : []), ...ordered.map((ending) => ending.toLowerCase())];
}
