// Whether a program exists, as a path or in the folders of PATH.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** `path`: the folders, as in PATH. */
export function isFound(program: string, path: string | undefined): boolean {
  if (/[/\\]/.test(program)) return isExecutable(program);
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd", ".bat"] : [""];
  return (path ?? "")
    .split(delimiter)
    .some((folder) => folder !== "" && endings.some((ending) => isExecutable(join(folder, program + ending))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
