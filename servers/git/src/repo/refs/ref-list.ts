// References with what their objects say. Git gives up over the first one whose object is missing: then they are listed without it.
import { failure } from "../process/git-failure.ts";
import { shown } from "../text/file-names.ts";
import type { Repository } from "../repository.ts";

/** As many names as one command line holds with ease. */
const MOST_NAMED = 4000;

export interface Refs {
  readonly lines: string[];
  /** Whole names of those that lead to no object. */
  readonly broken: readonly string[];
  /** Among damaged ones no more are looked at than one command line names. */
  readonly cut: boolean;
}

/** `git for-each-ref` with these arguments, for what lies below `kinds`. */
export async function eachRef(
  repository: Repository,
  args: readonly string[],
  kinds: readonly string[],
  signal?: AbortSignal,
): Promise<Refs> {
  const ran = await repository.try({ args: ["for-each-ref", ...args, ...kinds], signal });
  if (ran.code === 0) return { lines: linesOf(ran.stdout), broken: [], cut: false };
  if (!/missing object [0-9a-f]+ for /.test(ran.stderr)) throw failure(repository, ran, ["for-each-ref"]);
  const { whole, broken } = await sorted(repository, kinds, signal);
  if (whole.length === 0) return { lines: [], broken, cut: false };
  const named = whole.slice(0, MOST_NAMED);
  const { stdout } = await repository.run({ args: ["for-each-ref", ...args, ...named], signal });
  return { lines: linesOf(stdout), broken, cut: named.length < whole.length };
}

/** Names and ids need no object. */
async function sorted(
  repository: Repository,
  kinds: readonly string[],
  signal?: AbortSignal,
): Promise<{ whole: string[]; broken: string[] }> {
  const { stdout } = await repository.run({ args: ["for-each-ref", "--format=%(objectname) %(refname)", ...kinds], signal });
  const all = linesOf(stdout).map((line) => ({ id: line.slice(0, line.indexOf(" ")), ref: line.slice(line.indexOf(" ") + 1) }));
  // All the way down: what a tag names may be missing too.
  const input = all.map(({ id }) => `${id}^{}\n`).join("");
  const { stdout: said } = await repository.run({ args: ["cat-file", "--batch-check"], input, signal });
  const missing = new Set(linesOf(said).flatMap((line) => /^(\S+)\^\{\} missing$/.exec(line)?.[1] ?? []));
  const isBroken = ({ id }: { id: string }): boolean => missing.has(id);
  return { whole: all.filter((one) => !isBroken(one)).map(({ ref }) => ref), broken: all.filter(isBroken).map(({ ref }) => ref) };
}

const linesOf = (output: Buffer): string[] =>
  output
    .toString()
    .split("\n")
    .filter((line) => line !== "");

/** What a list says of them. */
export const brokenLine = (broken: readonly string[]): string[] =>
  broken.length === 0
    ? []
    : [
        `[left out: ${broken.length === 1 ? "the object is" : "the objects are"} missing of ${broken.slice(0, 5).map(shown).join(", ")}${broken.length > 5 ? ` and ${broken.length - 5} more` : ""}]`,
      ];
