// What tools that show diffs share: their arguments, their budget and their reply.
import { escapeControls, jsonStringBytes, takeWithin } from "@oarlock/domain-kit";
import type { Dependencies } from "../dependencies.ts";
import { DIFF_FORMATS, type Diff, type DiffFormat } from "../repo/diff/diff.ts";
import { diffText } from "../repo/diff/diff-text.ts";
import { totalsOf, type FileDiff } from "../repo/diff/file-diff.ts";
import { items, z, result, repo_path, paths, lines, cursor, count, choice } from "../schema.ts";
import { toObjects, withCursor } from "./structured.ts";

const DEFAULT_MAX_BYTES = 56_000;
/** Bytes of a text that hosts show in full: patches and the names of files, unless the caller asks for more. */
const SHOWN_BYTES = 62_000;
/** The names of omitted files have this much at least. Of a diff of many files, patches leave them more room. */
const MIN_LIST_BYTES = 6000;
const RESERVED_NAME_BYTES = 24_000;
/** Patches go out twice, as text and as structured content, next to the list of files. */
const PATCH_SHARE = 0.22;
const LIST_SHARE = 0.53;
/** Bytes of JSON around the names of a file in the list, and in the list of omitted files. */
const ENTRY_BYTES = 85;
const OMITTED_ENTRY_BYTES = 50;
const STAT_LINE_BYTES = 30;

export const diffArguments = () => ({
  repo_path,
  context_lines: lines("Around changes", 3),
  paths,
  format: z._default(choice(DIFF_FORMATS, "Patches, counts, names or bytes"), "patch"),
  max_bytes: count(`Default ${DEFAULT_MAX_BYTES}`),
  cursor,
});

export const diffResult = () =>
  result({
    files: items(),
    truncated: z.boolean(),
    nextCursor: z.optional(z.string()),
  });

/** The budget of one reply. `maxBytes`: the caller's limit. */
export function patchBudget(
  { maxResultBytes }: Dependencies,
  maxBytes?: number,
): { maxBytes: number; maxJsonBytes: number; reservedNameBytes: number } {
  const maxJsonBytes = Math.floor(maxResultBytes * PATCH_SHARE);
  const reservedNameBytes = maxBytes === undefined ? RESERVED_NAME_BYTES : 0;
  return { maxBytes: Math.max(1, Math.min(maxBytes ?? DEFAULT_MAX_BYTES, maxJsonBytes)), maxJsonBytes, reservedNameBytes };
}

/** `maxBytes`: the caller's limit. */
export function diffReply({ maxResultBytes }: Dependencies, diff: Diff, format: DiffFormat, maxBytes?: number) {
  const { files, isCut } = filesThatFit(diff, format, maxResultBytes * LIST_SHARE);
  const listed = new Set(files.map(({ path }) => path));
  const omitted = isCut ? diff.omitted.filter(({ path }) => listed.has(path)) : diff.omitted;
  const totals = totalsOf(diff.files);
  const listedFiles = format === "patch" ? diff.files : takeWithin(files, maxBytes ?? SHOWN_BYTES, lineBytes);
  const patchBytes = diff.files.reduce((sum, { patch = "" }) => sum + Buffer.byteLength(patch), 0);
  const maxListBytes = Math.max(MIN_LIST_BYTES, (maxBytes ?? SHOWN_BYTES) - patchBytes);
  const text = diffText({ ...diff, files: listedFiles, omitted, nextCursor: undefined }, format, { totals, maxListBytes });
  const count = format === "patch" ? files.length : listedFiles.length;
  const notice =
    count < diff.files.length
      ? `[truncated: ${count} of ${diff.files.length} files are listed; name paths, or set max_bytes for more]`
      : undefined;
  return {
    text: withCursor(notice === undefined ? text : `${notice}\n${text}\n${notice}`, diff.nextCursor),
    structured: {
      files: toObjects(files),
      totals: { ...totals },
      omitted: toObjects(omitted),
      truncated: isCut || diff.omitted.length > 0 || diff.nextCursor !== undefined || diff.isIncomplete,
      ...(diff.nextCursor !== undefined && { nextCursor: diff.nextCursor }),
    },
  };
}

const lineBytes = ({ path, oldPath = "" }: FileDiff): number => Buffer.byteLength(escapeControls(path + oldPath)) + STAT_LINE_BYTES;

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
