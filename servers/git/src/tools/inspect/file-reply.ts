// The reply with a file or folder of a revision.
import { isUtf8 } from "node:buffer";
import { escapeControls, truncateToBytes } from "@oarlock/domain-kit";
import { parseTree, readObjectAt, type ObjectAt } from "../../repo/history/object-at.ts";
import { requireOwnFile } from "../../repo/lockdown/hidden-texts.ts";
import type { Repository } from "../../repo/repository.ts";
import { nameToText } from "../../repo/text/file-names.ts";
import { DEFAULT_TEXT_BYTES, takeLines } from "../structured.ts";

/** Text may grow by so much when it becomes JSON, and base64 takes four bytes for three. */
const JSON_GROWTH = 1.2;
const BASE64_SHARE = 0.7;

interface FileRequest {
  readonly hash: string;
  readonly path: string;
  /** The caller's limit. */
  readonly maxBytes: number | undefined;
  /** What one reply can hold. */
  readonly largestBytes: number;
}

export async function fileReply(
  repository: Repository,
  { hash, path, maxBytes: wantedBytes, largestBytes }: FileRequest,
  signal: AbortSignal,
) {
  const found = await readObjectAt(repository, hash, path, largestBytes + 1, signal);
  const maxBytes = Math.min(wantedBytes ?? DEFAULT_TEXT_BYTES, largestBytes);
  const facts = { hash, path: found.path, oid: found.oid, type: found.type, size: found.size };
  const isCut = found.size > maxBytes;
  if (found.type === "tree") return treeReply(found, facts, wantedBytes, found.size > largestBytes);
  await requireOwnFile(repository, hash, path, signal);
  const bytes = found.bytes.subarray(0, maxBytes);
  const textBytes = isCut ? withoutPartialCharacter(bytes) : bytes;
  if (!textBytes.includes(0) && isUtf8(textBytes)) {
    const whole = textBytes.toString("utf8");
    const text = truncateToBytes(whole, maxBytes * JSON_GROWTH);
    const truncated = isCut || text.length < whole.length;
    const notice = truncated ? `\n[truncated: ${found.size} bytes in all; a higher max_bytes shows more]` : "";
    return { content: text + notice, structured: { ...facts, truncated } };
  }
  const maxBase64Bytes = maxBytes * BASE64_SHARE;
  return {
    content: `${escapeControls(found.path)}: ${found.size} bytes that are not UTF-8 text; the structured result has them as base64.`,
    structured: {
      ...facts,
      base64: bytes.subarray(0, Math.floor(maxBase64Bytes)).toString("base64"),
      truncated: isCut || bytes.length > maxBase64Bytes,
    },
  };
}

function treeReply<Facts extends { hash: string }>({ bytes }: ObjectAt, facts: Facts, maxBytes: number | undefined, isCut: boolean) {
  const all = parseTree(bytes, facts.hash.length / 2).map(({ name, ...entry }) => ({ ...entry, name: nameToText(name) }));
  // The first entry in any case: a name may be as long as a reply.
  const entries = [...all.slice(0, 1), ...takeLines(all.slice(1), maxBytes, entryLine)];
  const truncated = isCut || entries.length < all.length;
  const notice = truncated ? "\n[truncated: the folder holds more; a higher max_bytes shows more]" : "";
  return { content: entries.map(entryLine).join("\n") + notice, structured: { ...facts, entries, truncated } };
}

const entryLine = ({ mode, type, hash, name }: { mode: string; type: string; hash: string; name: string }): string =>
  `${mode} ${type} ${hash}\t${escapeControls(name)}`;

/** Drops up to three bytes at the end that begin a UTF-8 character. */
function withoutPartialCharacter(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > bytes.length - 4 && end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  const first = bytes[end - 1] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return end - 1 + length > bytes.length ? bytes.subarray(0, Math.max(0, end - 1)) : bytes;
}
