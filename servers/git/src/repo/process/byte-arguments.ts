// Command lines whose arguments may be file names that are not UTF-8.
import { isWindows } from "../../platform.ts";
import { GitError } from "../errors.ts";

/**
 * The program and its arguments. Node passes arguments as UTF-8 only; other names go through a shell whose `printf` writes the exact
 * bytes. The script holds nothing but octal numbers, so no name is ever interpreted.
 */
export function commandLine(git: string, args: readonly (string | Buffer)[]): [program: string, args: string[]] {
  if (args.every((arg) => typeof arg === "string" || Buffer.from(arg.toString("utf8")).equals(arg)))
    return [git, args.map((arg) => (typeof arg === "string" ? arg : arg.toString("utf8")))];
  if (isWindows) throw new GitError("invalid", "The file name is not well-formed text: Windows cannot pass it to git. Rename the file.");
  const assignments: string[] = [];
  const words = args.map((arg) => {
    const octal = [...Buffer.from(arg)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
    assignments.push(`a${assignments.length}=$(printf '${octal}_')`);
    return `"\${a${assignments.length - 1}%_}"`;
  });
  return ["/bin/sh", ["-c", `${assignments.join(";")};exec "$0" ${words.join(" ")}`, git]];
}
