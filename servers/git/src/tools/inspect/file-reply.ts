// The reply with a file or folder of a revision.
import { isUtf8 } from "node:buffer";
import { escapeControls, truncateToBytes } from "@oarlock/domain-kit";
import { parseTree, readObjectAt, type ObjectAt } from "../../repo/history/object-at.ts";
import type { Repository } from "../../repo/repository.ts";
import { nameToText } from "../../repo/text/file-names.ts";

/** Text may grow by so much when it becomes JSON, and base64 takes four bytes for three. */
const JSON_GROWTH = 1.2;
const BASE64_SHARE = 0.7;

export async function fileReply(
  repository: Repository,
  { hash, path, maxBytes }: { hash: string; path: string; maxBytes: number },
  signal: AbortSignal,
) {
  const found = await readObjectAt(repository, hash, path, maxBytes + 1, signal);
  const facts = { hash, path: found.path, oid: found.oid, type: found.type, size: found.size };
  const isCut = found.size > maxBytes;
  if (found.type === "tree") return treeReply(found, facts, isCut);
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

function treeReply<Facts extends { hash: string }>({ bytes }: ObjectAt, facts: Facts, truncated: boolean) {
  const entries = parseTree(bytes, facts.hash.length / 2).map(({ name, ...entry }) => ({ ...entry, name: nameToText(name) }));
  const lines = entries.map(({ mode, type, hash, name }) => `${mode} ${type} ${hash}\t${escapeControls(name)}`);
  const notice = truncated ? "\n[truncated: the folder holds more]" : "";
  return { content: lines.join("\n") + notice, structured: { ...facts, entries, truncated } };
}

/** Drops up to three bytes at the end that begin a UTF-8 character. */
function withoutPartialCharacter(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > bytes.length - 4 && end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  const first = bytes[end - 1] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return end - 1 + length > bytes.length ? bytes.subarray(0, Math.max(0, end - 1)) : bytes;
}
