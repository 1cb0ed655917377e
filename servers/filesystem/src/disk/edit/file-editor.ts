// Editing a text file: exact replacements, all or none, that change the bytes asked for and no others. The file keeps its
// encoding, its byte order mark, and line by line its line ends.
import { isUtf8 } from "node:buffer";
import type { BigIntStats } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import type { Area, Entry, FileHandle } from "../access/area.ts";
import { applyEdits, type Edit } from "./replacements.ts";
import { DiskError } from "../errors.ts";
import { etagOf } from "../read/etag.ts";
import { toLf } from "./lf-view.ts";
import { withLock } from "../write/name-lock.ts";
import { readWhole } from "../read/byte-reader.ts";
import { bytesFill, replace } from "../write/atomic-replace.ts";
import { lookAt } from "../access/entry-stat.ts";
import { mustBeFile, openTarget, writeTarget } from "../write/write-target.ts";
import { decode, encode, formByContent, formByMark, isBinary, markOf, type Encoding } from "../text/encoding.ts";
import { mustMatch } from "../write/expected-etag.ts";
import { unifiedDiff } from "./unified-diff.ts";

export interface EditOptions {
  /** Only show what would change. */
  readonly dryRun?: boolean | undefined;
  /** flexible (the default): where nothing matches exactly, one place whose lines differ only by their indentation does. */
  readonly matching?: "exact" | "flexible" | undefined;
  readonly expectedEtag?: string | undefined;
  readonly encoding?: Encoding | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface EditResult {
  /** The real path. */
  readonly path: string;
  /** Unified diff; `fenced` of unified-diff.ts makes a block of it. */
  readonly diff: string;
  readonly applied: boolean;
  readonly replacements: number;
  /** Absent where nothing changed. */
  readonly firstChangedLine?: number;
  /** Of the file as it is now: in a dry run, as it was. */
  readonly etag: string;
}

const EDIT_BYTES = 32 * 1024 * 1024;

interface Plan {
  readonly content: Buffer;
  readonly changed: boolean;
  /** Of the file as it was; empty where it will not be so any more. */
  readonly etag: string;
  readonly facts: Omit<EditResult, "path" | "applied" | "etag">;
}

export async function editText(area: Area, path: string, edits: readonly Edit[], options: EditOptions = {}): Promise<EditResult> {
  if (options.dryRun === true) {
    using file = area.file(path);
    const { facts, etag } = await plan(file, path, edits, options);
    return { ...facts, path: file.path, applied: false, etag };
  }
  using entry = writeTarget(area, path);
  return await withLock(
    entry,
    async (lock) => {
      const old = existing(entry, path);
      const { content, changed, etag: oldEtag, facts } = await planFor(area, entry, old, path, edits, options);
      const done = { ...facts, path: entry.path, applied: true };
      if (!changed) return { ...done, etag: oldEtag };
      const how = { old, mustBeOld: true, signal: options.signal };
      const etag = await replace(entry, lock, bytesFill(content, options.signal), how, (fd) => etagOf(content, fd));
      return { ...done, etag };
    },
    options.signal,
  );
}

function existing(entry: Entry, path: string): BigIntStats {
  const old = lookAt(entry);
  if (old === undefined) throw new DiskError("not-found", `No such file or directory: ${clip(path)}`);
  mustBeFile(entry, old, path);
  return old;
}

async function planFor(
  area: Area,
  entry: Entry,
  old: BigIntStats,
  path: string,
  edits: readonly Edit[],
  options: EditOptions,
): Promise<Plan> {
  using file = openTarget(area, entry, old, path);
  return await plan(file, path, edits, options);
}

async function plan(file: FileHandle, path: string, edits: readonly Edit[], options: EditOptions): Promise<Plan> {
  const before = await readWhole(file, path, EDIT_BYTES, options.signal);
  if (options.expectedEtag !== undefined) mustMatch(options.expectedEtag, etagOf(before, file.fd), path);
  const form = formByMark(before, options.encoding) ?? formByContent(before);
  const mark = markOf(form);
  const body = before.subarray(mark.length);
  const text = decode(body, form.encoding);
  mustRoundTrip(body, text, form.encoding, path);
  const edited = await applyEdits(text, edits, options.matching !== "exact", options.signal);
  const changed = edited.text !== text;
  const content = changed ? marked(mark, encode(edited.text, form.encoding)) : before;
  const compared = await unifiedDiff(file.path, toLf(text), toLf(edited.text));
  // Of use only where the file stays as it is.
  const etag = changed && options.dryRun !== true ? "" : etagOf(before, file.fd);
  return { content, etag, changed, facts: { ...compared, replacements: edited.replacements } };
}

// A copy less where there is no mark, as a rule.
const marked = (mark: Buffer, bytes: Buffer): Buffer => (mark.length === 0 ? bytes : Buffer.concat([mark, bytes]));

function mustRoundTrip(body: Buffer, text: string, encoding: Encoding, path: string): void {
  if (isBinary(body) && encoding === "latin1")
    throw new DiskError("invalid", `This looks like a binary file and cannot be edited as text: ${clip(path)}`);
  // UTF-8 that is clean comes back as it was, and so does any byte as a character.
  let same = encoding === "latin1" || (encoding === "utf-8" && isUtf8(body));
  try {
    same ||= encoding !== "utf-8" && encode(text, encoding).equals(body);
  } catch {
    // Half of a surrogate pair, for one.
  }
  if (!same)
    throw new DiskError("invalid", `The file is not clean ${encoding} text, and editing it would damage other parts of it: ${clip(path)}`);
}
