// Files in UTF-16: git takes them for binary, shows no lines and stages no hunks of them, unless an attribute names their encoding.
import { clip } from "@oarlock/domain-kit";
import { addNotice } from "../messages/notices.ts";
import type { WithPaths } from "../process/repository-paths.ts";
import { readWorkTreeFile } from "../safety/work-tree-file.ts";
import type { FileDiff } from "./file-diff.ts";

const MAX_FILES = 5;
const MAX_BYTES = 1024 * 1024;

/** Adds a notice with the line of `.gitattributes` that makes a changed file text. */
export function noticeUtf16(repository: WithPaths, files: readonly FileDiff[]): void {
  for (const { path } of files.filter(({ binary }) => binary).slice(0, MAX_FILES)) {
    const bytes = readWorkTreeFile(repository, path, MAX_BYTES);
    const encoding = bytes === undefined || bytes === "too-large" ? undefined : encodingOf(bytes);
    if (encoding !== undefined)
      addNotice(
        `[${clip(path)} is UTF-16, which git takes for binary: it is shown and staged whole. A line in .gitattributes with its name and working-tree-encoding=${encoding} makes it text]`,
      );
  }
}

/** By its byte order mark; UTF-32 begins like UTF-16. */
function encodingOf(bytes: Buffer): string | undefined {
  if (bytes.length >= 4 && bytes.readUInt16LE(2) === 0) return undefined;
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  return mark === 0xff_fe ? "UTF-16LE-BOM" : mark === 0xfe_ff ? "UTF-16" : undefined;
}
