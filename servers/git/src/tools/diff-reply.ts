// What the tools that show diffs have in common: their arguments, their budget and their reply.
import type { Diff, DiffFormat } from "../repo/diff/diff.ts";
import { diffText, totalsOf } from "../repo/diff/diff-text.ts";
import { wireBytes } from "../repo/text/json-size.ts";
import type { Parts } from "../dependencies.ts";
import { choice, count, cursor, paths, repo_path, result, z } from "../schema.ts";

const DEFAULT_BYTES = 100_000;

export const diffArguments = () => ({
  repo_path,
  context_lines: z._default(z.int().check(z.minimum(0)), 3).check(z.describe("Lines around each change")),
  paths,
  format: z._default(choice(["patch", "stat", "names"], "Patches, counts, or names"), "patch"),
  max_bytes: count(`Patches up to so many bytes, ${DEFAULT_BYTES} unless given`),
  cursor,
});

export const diffResult = () =>
  result({
    files: z.array(z.looseObject({ path: z.string(), additions: z.int(), deletions: z.int() })),
    omitted: z.array(z.looseObject({ path: z.string() })),
    truncated: z.boolean(),
    nextCursor: z.optional(z.string()),
  });

/** Patches go out twice, and the names around them take room of their own. */
export function budgetOf({ maxResultBytes }: Parts, wanted: number = DEFAULT_BYTES): { maxBytes: number; maxWire: number } {
  const wire = Math.floor(maxResultBytes * 0.22);
  return { maxBytes: Math.max(1, Math.min(wanted, wire)), maxWire: wire };
}

/** What a file takes in the list, beside its path. */
const ENTRY_BYTES = 85;
/** What a file that was left out takes in text and list. */
const OMITTED_BYTES = 50;

export function diffReply({ maxResultBytes }: Parts, diff: Diff, format: DiffFormat) {
  const named = new Set(diff.omitted.map(({ path }) => path));
  let room = maxResultBytes * 0.53;
  const fit = diff.files.findIndex(({ path, oldPath = "" }) => {
    const name = wireBytes(path) + wireBytes(oldPath);
    room -= name + ENTRY_BYTES + (named.has(path) ? 2 * name + OMITTED_BYTES : 0) + (format === "patch" ? 0 : name + 30);
    return room < 0;
  });
  const files = fit === -1 ? diff.files : diff.files.filter(({ patch }, at) => at < fit || patch !== undefined);
  const kept = new Set(files.map(({ path }) => path));
  const omitted = fit === -1 ? diff.omitted : diff.omitted.filter(({ path }) => kept.has(path));
  const cut = fit === -1 ? "" : `\n[truncated: ${diff.files.length} files in all, of which ${files.length} are named; name paths]`;
  return {
    text: diffText({ ...diff, files: format === "patch" ? diff.files : files, omitted }, format, totalsOf(diff.files)) + cut,
    structured: {
      files: files.map((file) => ({ ...file })),
      totals: totalsOf(diff.files),
      omitted: omitted.map((one) => ({ ...one })),
      truncated: cut !== "" || diff.omitted.length > 0 || diff.nextCursor !== undefined || diff.incomplete,
      ...(diff.nextCursor !== undefined && { nextCursor: diff.nextCursor }),
    },
  };
}
