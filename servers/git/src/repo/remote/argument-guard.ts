// A second pair of eyes: simple-git's own guard, with every unsafe switch off, looks at each command that talks to another machine. What
// is passed there is built from checked parts already; this is for the day when a part is not.
import { GitError } from "../errors.ts";

export async function guarded<T extends readonly string[]>(args: T): Promise<T> {
  // 15 ms, and most sessions never leave the machine.
  const { vulnerabilityCheck } = await import("@simple-git/argv-parser");
  const [found] = vulnerabilityCheck([...args], {});
  if (found !== undefined) throw new GitError("unsafe", `Refused: ${found.message}`);
  return args;
}
