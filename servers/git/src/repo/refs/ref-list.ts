// Lists refs with fields of their objects. git stops at the first ref whose object is missing; such refs are then listed apart.
import { isUtf8 } from "node:buffer";
import { nearestNames } from "@oarlock/domain-kit";
import { gitFailure } from "../process/git-failure.ts";
import { splitRecords } from "../process/nul-records.ts";
import type { Repository } from "../repository.ts";
import { decodeText, nameFromText, nameToText } from "../text/file-names.ts";

/** Names that fit into one command line on every system. */
const MAX_NAMED_REFS = 4000;
const MAX_REF_NAMES = 2000;
const MAX_SUGGESTIONS = 3;
/** Later years have more than four digits. */
const MAX_YEAR = 9999;
/** `2026-03-18T10:00:00` */
const SECONDS_LENGTH = 19;

export interface RefList {
  /** The fields of a ref between NULs. The first one holds its name, written as names of files are where it is not UTF-8. */
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
  const format = options.find((option) => option.startsWith("--format="));
  const result = await repository.tryRead({ args: ["for-each-ref", ...options, ...prefixes], signal });
  if (result.exitCode === 0) return { lines: linesOf(result.stdout, format), broken: ignoredRefs(result.stderr), isTruncated: false };
  // git fails over one date that it cannot write in this form, also where it only sorts by it.
  const raw = options.map((option) => option.replace(/:iso-strict|(?<=^--sort=-\w+date)$/, ":raw"));
  if (/^fatal: Timestamp too large/m.test(result.stderr) && raw.join() !== options.join())
    return listRefs(repository, raw, prefixes, signal);
  // git 2.55 says of a tag whose object is missing only that it is bad.
  if (!/missing object [0-9a-f]+ for |parse_object_buffer failed on [0-9a-f]+ for |^fatal: bad tag$/m.test(result.stderr))
    throw gitFailure(repository, result, ["for-each-ref"]);
  const { intact, broken } = await findBroken(repository, prefixes, signal);
  if (intact.length === 0) return { lines: [], broken, isTruncated: false };
  const named = intact.slice(0, MAX_NAMED_REFS).map(nameFromText);
  const { stdout } = await repository.read({ args: ["for-each-ref", ...options, ...named], signal });
  return { lines: linesOf(stdout, format), broken, isTruncated: named.length < intact.length };
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

/** `format`: what git printed for each ref. Default: names only. */
export const linesOf = (output: Buffer, format = ""): string[] =>
  (isUtf8(output) ? output.toString() : decoded(output, format)).split("\n").filter((line) => line !== "");

/** Each field by itself: git prints names as bytes, and what people have written in the encoding of its commit. */
function decoded(output: Buffer, format: string): string {
  const isWritten = format.split("%00").map((field) => /%\((?:contents|creator|author)/.test(field));
  return output
    .toString("latin1")
    .split("\n")
    .map((line) =>
      splitRecords(Buffer.from(line, "latin1"))
        .map((field, at) => (isWritten[at] === true ? decodeText : nameToText)(field))
        .join("\0"),
    )
    .join("\n");
}

/** A date of {@link listRefs}: ISO 8601 as git writes it; empty where no calendar has the date. */
export function dateOf(field: string): string {
  const [, seconds, sign, hours, minutes] = /^(\d+) ([+-])(\d{2})(\d{2})$/.exec(field) ?? [];
  if (seconds === undefined) return field;
  const zoneMinutes = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  const local = new Date((Number(seconds) + zoneMinutes * 60) * 1000);
  if (Number.isNaN(local.getTime()) || local.getUTCFullYear() > MAX_YEAR) return "";
  return `${local.toISOString().slice(0, SECONDS_LENGTH)}${sign}${hours}:${minutes}`;
}

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

/** Whether there is a ref of this name below one of the folders, also where git does not find its object. A pattern takes in all names below it. */
export async function hasRef(repository: Repository, folders: readonly string[], name: string, signal?: AbortSignal): Promise<boolean> {
  const refs = folders.map((folder) => `${folder}${name}`);
  const { stdout } = await repository.tryRead({ args: ["for-each-ref", "--format=%(refname)", ...refs], signal });
  const found = linesOf(stdout);
  return refs.some((ref) => found.includes(ref));
}

/** Up to three names for "did you mean": those that contain the mistyped one, then those that differ least. */
export function suggestNames(mistyped: string, names: readonly string[]): string[] {
  const wanted = mistyped.toLowerCase();
  const near = nearestNames(mistyped, names);
  const containing = names.filter((name) => name.toLowerCase().includes(wanted));
  return [...new Set([...near, ...containing])].slice(0, MAX_SUGGESTIONS);
}
