// What tools that show diffs share: their arguments, their budget and their reply.
import { jsonStringBytes } from "@oarlock/domain-kit";
import type { Dependencies } from "../dependencies.ts";
import type { Diff, DiffFormat } from "../repo/diff/diff.ts";
import { diffText } from "../repo/diff/diff-text.ts";
import { totalsOf, type FileDiff } from "../repo/diff/file-diff.ts";
import { choice, count, cursor, lines, paths, repo_path, result, z } from "../schema.ts";
import { toObjects } from "./structured.ts";

const DEFAULT_MAX_BYTES = 56_000;
/** Patches go out twice, as text and as structured content, next to the list of files. */
const PATCH_SHARE = 0.22;
const LIST_SHARE = 0.53;
/** Bytes of JSON around the names of a file in the list, and in the list of omitted files. */
const ENTRY_BYTES = 85;
const OMITTED_ENTRY_BYTES = 50;
const STAT_LINE_BYTES = 30;

export const diffArguments = () => ({
  repo_path,
  context_lines: lines("Around each change", 3),
  paths,
  format: z._default(choice(["patch", "stat", "names"], "Patches, counts or names"), "patch"),
  max_bytes: count(`Maximum bytes, default ${DEFAULT_MAX_BYTES}`),
  cursor,
});

export const diffResult = () =>
  result({
    files: z.array(z.looseObject({ path: z.string() })),
    omitted: z.array(z.looseObject({ path: z.string() })),
    truncated: z.boolean(),
    nextCursor: z.optional(z.string()),
  });

/** The budget of one reply. `maxBytes`: the caller's limit. */
export function patchBudget(
  { maxResultBytes }: Dependencies,
  maxBytes: number = DEFAULT_MAX_BYTES,
): { maxBytes: number; maxJsonBytes: number } {
  const maxJsonBytes = Math.floor(maxResultBytes * PATCH_SHARE);
  return { maxBytes: Math.max(1, Math.min(maxBytes, maxJsonBytes)), maxJsonBytes };
}

export function diffReply({ maxResultBytes }: Dependencies, diff: Diff, format: DiffFormat) {
  const { files, isCut } = filesThatFit(diff, format, maxResultBytes * LIST_SHARE);
  const listed = new Set(files.map(({ path }) => path));
  const omitted = isCut ? diff.omitted.filter(({ path }) => listed.has(path)) : diff.omitted;
  const totals = totalsOf(diff.files);
  const text = diffText({ ...diff, files: format === "patch" ? diff.files : files, omitted }, format, totals);
  const notice = isCut ? `\n[truncated: ${files.length} of ${diff.files.length} files are listed; name paths]` : "";
  // Before the patches too: a host that cuts the reply keeps its beginning.
  const more = diff.nextCursor === undefined ? "" : `[more: continue with cursor ${diff.nextCursor}]\n`;
  return {
    text: more + text + notice,
    structured: {
      files: toObjects(files),
      totals: { ...totals },
      omitted: toObjects(omitted),
      truncated: isCut || diff.omitted.length > 0 || diff.nextCursor !== undefined || diff.isIncomplete,
      ...(diff.nextCursor !== undefined && { nextCursor: diff.nextCursor }),
    },
  };
}

/** The files from the first on whose entries fit, and every file with a patch. */
function filesThatFit(diff: Diff, format: DiffFormat, maxBytes: number): { files: readonly FileDiff[]; isCut: boolean } {
  const omitted = new Set(diff.omitted.map(({ path }) => path));
  let left = maxBytes;
  const end = diff.files.findIndex(({ path, oldPath = "" }) => {
    const names = jsonStringBytes(path) + jsonStringBytes(oldPath);
    left -= names + ENTRY_BYTES;
    if (omitted.has(path)) left -= 2 * names + OMITTED_ENTRY_BYTES;
    if (format !== "patch") left -= names + STAT_LINE_BYTES;
    return left < 0;
  });
  if (end === -1) return { files: diff.files, isCut: false };
  return { files: diff.files.filter(({ patch }, index) => index < end || patch !== undefined), isCut: true };
}
