// Facts about a file or directory: its metadata, and for small text files encoding and lines.
import { lookAt } from "../access/entry-stat.ts";
import type { Sandbox } from "../access/sandbox.ts";
import { linkEnd } from "../access/link-end.ts";
import { DiskError } from "../errors.ts";
import { HASHED_BYTES, etagOfContent, etagOfFacts } from "./etag.ts";
import { HEAD_BYTES, sniff } from "./media-type.ts";
import { damageIn, type Damage } from "../text/damage.ts";
import { countLines, type LineEnding } from "../text/lines.ts";
import { readNow } from "./byte-reader.ts";
import { decode, formByContent, formByMark, isBinary, markOf, type Encoding } from "../text/encoding.ts";

export interface Info {
  /** The real path. */
  readonly path: string;
  readonly size: number;
  readonly created: Date;
  readonly modified: Date;
  readonly accessed: Date;
  readonly isDirectory: boolean;
  readonly isFile: boolean;
  /** The last name of the path is a link. The other facts are those of its target. */
  readonly isSymlink: boolean;
  /** What the link leads to, as it is written. */
  readonly target?: string | undefined;
  /** Three octal digits. */
  readonly permissions: string;
  readonly etag?: string;
  /** The media type by a known signature, or `binary`; absent for text. */
  readonly kind?: string | undefined;
  /** Of small text files only. */
  readonly encoding?: Encoding;
  readonly bom?: boolean;
  readonly lineEnding?: LineEnding;
  readonly lines?: number;
  readonly damage?: Damage | undefined;
  /** Why nothing is said about the content. */
  readonly notice?: string;
}

export function info(sandbox: Sandbox, path: string): Info {
  const { path: real, stat } = sandbox.look(path);
  return {
    path: real,
    size: Number(stat.size),
    created: stat.birthtime,
    modified: stat.mtime,
    accessed: stat.atime,
    isDirectory: stat.isDirectory(),
    isFile: stat.isFile(),
    ...linkFacts(sandbox, path),
    permissions: stat.mode.toString(8).slice(-3).padStart(3, "0"),
    ...(stat.isFile() ? ofContent(sandbox, path) : {}),
  };
}

function linkFacts(sandbox: Sandbox, path: string): Pick<Info, "isSymlink" | "target"> {
  try {
    using entry = sandbox.entry(path, { inStoredNames: false });
    if (lookAt(entry)?.isSymbolicLink() !== true) return { isSymlink: false };
    const { target } = linkEnd(sandbox, entry.parent, entry.name);
    return { isSymlink: true, ...(target !== undefined && { target }) };
  } catch {
    return { isSymlink: false }; // an allowed directory, or a path that ends in dots
  }
}

function ofContent(sandbox: Sandbox, path: string): Partial<Info> {
  try {
    using file = sandbox.file(path);
    const size = Number(file.stat.size);
    const { type: kind } = sniff(readNow(file.fd, 0, Math.min(size, HEAD_BYTES)));
    if (size > HASHED_BYTES) return { kind, etag: etagOfFacts(file.stat) };
    const content = readNow(file.fd, 0, size);
    const etag = etagOfContent(content);
    if (kind !== undefined) return { kind, etag };
    const form = formByMark(content);
    if (form === undefined && isBinary(content)) return { kind: "binary", etag };
    const { encoding, bom } = form ?? formByContent(content);
    const text = decode(content.subarray(markOf({ encoding, bom }).length), encoding);
    return { etag, encoding, bom, ...countLines(text), damage: damageIn(content, text, { encoding, bom }) };
  } catch (error) {
    // The metadata of an unreadable file is still of use.
    if (error instanceof DiskError && error.code === "denied") throw error;
    return error instanceof DiskError && error.code === "foreign" ? { notice: error.message } : {};
  }
}
