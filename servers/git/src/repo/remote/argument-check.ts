// A second check of every command that talks to a remote, by simple-git's own rules with every unsafe option forbidden. The arguments are
// built from checked parts already; this catches a part that is not.
import { GitError } from "../errors.ts";

/** Returns the arguments. Throws a {@link GitError} for unsafe ones. */
export async function checkedArguments<T extends readonly string[]>(args: T): Promise<T> {
  // Loaded on first use: 15 ms, and most sessions use no remote.
  const { vulnerabilityCheck } = await import("@simple-git/argv-parser");
  const [problem] = vulnerabilityCheck([...args], {});
  if (problem !== undefined) throw new GitError("unsafe", `Refused: ${problem.message}`);
  return args;
}
