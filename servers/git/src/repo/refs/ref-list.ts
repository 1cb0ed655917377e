// Lists refs with fields of their objects. git stops at the first ref whose object is missing; such refs are then listed apart.
import { nearestNames } from "@oarlock/domain-kit";
import { gitFailure } from "../process/git-failure.ts";
import type { Repository } from "../repository.ts";

/** Names that fit into one command line on every system. */
const MAX_NAMED_REFS = 4000;
const MAX_REF_NAMES = 2000;
const MAX_SUGGESTIONS = 3;

export interface RefList {
  readonly lines: string[];
  /** Full names of refs whose object is missing, or whose file is damaged. */
  readonly broken: readonly string[];
  readonly isTruncated: boolean;
}

/** Runs `git for-each-ref` with these options for the refs below `prefixes`. */
export async function listRefs(
  repository: Repository,
  options: readonly string[],
  prefixes: readonly string[],
  signal?: AbortSignal,
): Promise<RefList> {
  const result = await repository.tryRead({ args: ["for-each-ref", ...options, ...prefixes], signal });
  if (result.exitCode === 0) return { lines: linesOf(result.stdout), broken: ignoredRefs(result.stderr), isTruncated: false };
  // git fails over one date that it cannot write in this form, also where it only sorts by it.
  const raw = options.map((option) => option.replace(/:iso-strict|(?<=^--sort=-\w+date)$/, ":raw"));
  if (/^fatal: Timestamp too large/m.test(result.stderr) && raw.join() !== options.join())
    return listRefs(repository, raw, prefixes, signal);
  // git 2.55 says of a tag whose object is missing only that it is bad.
  if (!/missing object [0-9a-f]+ for |^fatal: bad tag$/m.test(result.stderr)) throw gitFailure(repository, result, ["for-each-ref"]);
  const { intact, broken } = await findBroken(repository, prefixes, signal);
  if (intact.length === 0) return { lines: [], broken, isTruncated: false };
  const named = intact.slice(0, MAX_NAMED_REFS);
  const { stdout } = await repository.read({ args: ["for-each-ref", ...options, ...named], signal });
  return { lines: linesOf(stdout), broken, isTruncated: named.length < intact.length };
}

/** Refs that git leaves out with a warning, as their files hold no id. */
const ignoredRefs = (stderr: string): string[] =>
  stderr.split("\n").flatMap((line) => /^warning: ignoring (?:broken|dangling symbolic) ref (\S+)/.exec(line)?.[1] ?? []);

async function findBroken(
  repository: Repository,
  prefixes: readonly string[],
  signal?: AbortSignal,
): Promise<{ intact: string[]; broken: string[] }> {
  // Names and ids need no objects.
  const { stdout } = await repository.read({ args: ["for-each-ref", "--format=%(objectname) %(refname)", ...prefixes], signal });
  const refs = linesOf(stdout).map((line) => ({ id: line.slice(0, line.indexOf(" ")), name: line.slice(line.indexOf(" ") + 1) }));
  // Peeled, as the object behind a tag may be missing too.
  const input = refs.map(({ id }) => `${id}^{}\n`).join("");
  const { stdout: answers } = await repository.read({ args: ["cat-file", "--batch-check"], input, signal });
  const missing = new Set(linesOf(answers).flatMap((line) => /^(\S+)\^\{\} missing$/.exec(line)?.[1] ?? []));
  const names = (isBroken: boolean): string[] => refs.filter(({ id }) => missing.has(id) === isBroken).map(({ name }) => name);
  return { intact: names(false), broken: names(true) };
}

const linesOf = (output: Buffer): string[] =>
  output
    .toString()
    .split("\n")
    .filter((line) => line !== "");

/** Short names of branches, remote branches and tags, newest first. */
export async function listRefNames(
  repository: Repository,
  signal?: AbortSignal,
  prefixes: readonly string[] = ["refs/heads", "refs/remotes", "refs/tags"],
): Promise<string[]> {
  const options = [`--count=${MAX_REF_NAMES}`, "--sort=-creatordate", "--format=%(refname:strip=2)"];
  const { lines } = await listRefs(repository, options, prefixes, signal);
  return lines.filter((name) => !name.endsWith("/HEAD"));
}

/** Up to three names for "did you mean": those that contain the mistyped one, then those that differ least. */
export function suggestNames(mistyped: string, names: readonly string[]): string[] {
  const wanted = mistyped.toLowerCase();
  const near = nearestNames(mistyped, names);
  const containing = names.filter((name) => name.toLowerCase().includes(wanted));
  return [...new Set([...near, ...containing])].slice(0, MAX_SUGGESTIONS);
}
