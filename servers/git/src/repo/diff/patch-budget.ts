// Chooses which patches of a diff are shown: in their order, until the budget is used up. Long patches of lock files and generated files
// are left out, as their patches are rarely of use. The patch of a single file is cut at a line and continued on the next page.
import { jsonStringBytes } from "@oarlock/domain-kit";
import { decodeText } from "../text/file-names.ts";
import { shortenPatch } from "../text/long-lines.ts";
import type { FileDiff, PatchReceiver } from "./file-diff.ts";

export interface OmittedPatch {
  readonly path: string;
  readonly reason: "budget" | "oversized" | "lock file" | "generated";
}

/** Where a page begins: at a file and, for the patch of a single file, a number of bytes into it. */
export interface PagePosition {
  readonly index: number;
  readonly offset: number;
}

export interface PatchLimits {
  /** Bytes of all patches of a page. */
  readonly maxBytes: number;
  /** Bytes of all patches of a page as JSON strings. */
  readonly maxJsonBytes: number;
  /** Bytes that the patches of many files leave to the names of those that are left out. */
  readonly reservedNameBytes: number;
  readonly from: PagePosition;
  /** The caller named paths: lock files and generated files are shown too. */
  readonly hasPaths: boolean;
}

const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|Gemfile\.lock|composer\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|pdm\.lock|go\.sum|flake\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|gradle\.lockfile|packages\.lock\.json|deno\.lock)$/;
const GENERATED = /\.(?:min\.(?:js|css)|(?:js|css)\.map|pb\.go|g\.dart|snap)$|(?:^|\/)(?:dist|vendor|node_modules)\//;
/** Shorter patches of lock files and generated files are shown. */
const LONG_PATCH_BYTES = 4096;
/** A piece of a patch is not made smaller than this to fit its JSON form. */
const MIN_PIECE_BYTES = 64;
/** From this many files on, room for their names is reserved. */
const MANY_FILES = 100;
const NAME_BYTES = 60;
/** A patch up to this size is kept until its long lines are cut. */
const MAX_SHORTENED_BYTES = 4 * 1024 * 1024;
const NEWLINE = 10;

export class PatchBudget implements PatchReceiver {
  readonly omitted: OmittedPatch[] = [];
  /** Long lines of a patch were cut around what changed in them. */
  hasShortenedLines = false;
  /** Where the next page begins; undefined after the last one. */
  next: PagePosition | undefined;
  readonly #limits: PatchLimits;
  /** Bytes of all patches of a page, without those for names. */
  #pageBytes: number;
  #bytesLeft: number;
  #jsonBytesLeft: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #index = 0;
  #isSingle = false;

  constructor(limits: PatchLimits) {
    this.#limits = limits;
    this.#pageBytes = limits.maxBytes;
    this.#bytesLeft = limits.maxBytes;
    this.#jsonBytesLeft = limits.maxJsonBytes;
  }

  begin(index: number, total: number): void {
    this.#index = index;
    this.#isSingle = total === 1;
    if (index === 0 && total > MANY_FILES) {
      this.#pageBytes -= Math.min(this.#limits.reservedNameBytes, total * NAME_BYTES);
      this.#bytesLeft = this.#pageBytes;
    }
    this.#chunks = [];
    this.#size = 0;
  }

  /** Bytes of the patch that earlier pages have shown. */
  get #offset(): number {
    return this.#isSingle ? this.#limits.from.offset : 0;
  }

  add(bytes: Buffer): void {
    const skipped = Math.max(0, this.#offset - this.#size);
    const isWithinLimit = this.#size - this.#offset <= Math.max(this.#pageBytes, MAX_SHORTENED_BYTES);
    this.#size += bytes.length;
    if (this.#index < this.#limits.from.index || this.next !== undefined || !isWithinLimit) return;
    if (skipped < bytes.length) this.#chunks.push(skipped === 0 ? bytes : bytes.subarray(skipped));
  }

  end(file: FileDiff): void {
    if (this.#index < this.#limits.from.index) return;
    this.#shortenLines();
    const reason = this.#omissionReason(file);
    if (reason !== undefined) {
      this.omitted.push({ path: file.path, reason });
      return;
    }
    const patch = Buffer.concat(this.#chunks);
    this.#chunks = [];
    const isComplete = patch.length === this.#size - this.#offset;
    const text = decodeText(patch);
    const jsonBytes = jsonStringBytes(text);
    if (isComplete && patch.length <= this.#bytesLeft && jsonBytes <= this.#jsonBytesLeft) {
      file.patch = text;
      this.#bytesLeft -= patch.length;
      this.#jsonBytesLeft -= jsonBytes;
    } else if (this.#isSingle) this.#showPiece(file, patch);
    else if (jsonBytes > this.#limits.maxJsonBytes) this.omitted.push({ path: file.path, reason: "oversized" });
    else this.#endPage(file);
  }

  /** Of a patch that does not fit, where that makes it fit. */
  #shortenLines(): void {
    const isComplete = this.#size <= MAX_SHORTENED_BYTES && this.next === undefined && this.#offset === 0;
    if (this.#size <= this.#pageBytes || !isComplete) return;
    const patch = decodeText(Buffer.concat(this.#chunks));
    const shortened = Buffer.from(shortenPatch(patch));
    if (shortened.length > this.#pageBytes) return;
    this.#chunks = [shortened];
    this.#size = shortened.length;
    this.hasShortenedLines = true;
  }

  #endPage(file: FileDiff): void {
    this.next = { index: this.#index, offset: 0 };
    this.omitted.push({ path: file.path, reason: "budget" });
  }

  /** As many whole lines as fit; the beginning of a line that is longer than a page. */
  #showPiece(file: FileDiff, patch: Buffer): void {
    let maxBytes = this.#bytesLeft;
    for (;;) {
      const end = patch.lastIndexOf(NEWLINE, maxBytes - 1) + 1 || characterBoundary(patch, maxBytes);
      file.patch = decodeText(patch.subarray(0, end));
      this.next = { index: this.#index, offset: this.#limits.from.offset + end };
      if (maxBytes < MIN_PIECE_BYTES || jsonStringBytes(file.patch) <= this.#jsonBytesLeft) return;
      maxBytes = Math.floor(Math.min(maxBytes, end) / 2);
    }
  }

  #omissionReason({ path }: FileDiff): OmittedPatch["reason"] | undefined {
    if (this.next !== undefined) return "budget";
    if (this.#isSingle) return undefined;
    if (!this.#limits.hasPaths && this.#size > LONG_PATCH_BYTES) {
      if (LOCK_FILE.test(path)) return "lock file";
      if (GENERATED.test(path)) return "generated";
    }
    if (this.#size > this.#pageBytes) return "oversized";
    if (this.#size <= this.#bytesLeft) return undefined;
    this.next = { index: this.#index, offset: 0 };
    return "budget";
  }
}

/** The last position up to `maxBytes` that does not split a UTF-8 character. */
function characterBoundary(bytes: Buffer, maxBytes: number): number {
  let end = Math.min(maxBytes, bytes.length);
  while (end > 1 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}
