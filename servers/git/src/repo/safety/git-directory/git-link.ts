// A `.git` file, which names the git directory of the work tree around it.
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";

const MAX_BYTES = 65_536;

/** The folder that the file names; the file itself where it names none. `top`: the folder around it. */
export function linkedGitDir(file: string, top: string): string {
  if (statSync(file).size > MAX_BYTES) return file;
  const [, path = ""] = /^gitdir: ([^]*?)[\r\n]*$/.exec(readFileSync(file, "utf8")) ?? [];
  return path === "" ? file : resolve(top, path);
}
