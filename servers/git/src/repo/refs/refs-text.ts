// All refs as text: HEAD, then every branch and tag with its object.
import { isUtf8 } from "node:buffer";
import type { Repository } from "../repository.ts";
import { nameToText } from "../text/file-names.ts";

/** Whole lines, as many as fit into `maxBytes`. */
export async function refsText(
  repository: Repository,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<{ text: string; isTruncated: boolean }> {
  const { stdout, isTruncated } = await repository.read({ args: ["for-each-ref", "--format=%(objectname) %(refname)"], maxBytes, signal });
  const { branch } = repository.head();
  const oid = await repository.headCommit(signal);
  const head = `${oid ?? "(no commits yet)"} HEAD${branch === undefined ? "" : ` -> refs/heads/${branch}`}\n`;
  const lines = isTruncated ? stdout.subarray(0, stdout.lastIndexOf(10) + 1) : stdout;
  return { text: head + (isUtf8(lines) ? lines.toString() : writtenLines(lines)), isTruncated };
}

/** Names that are not UTF-8 are written as names of files are. */
const writtenLines = (lines: Buffer): string =>
  lines
    .toString("latin1")
    .split("\n")
    .map((line) => nameToText(Buffer.from(line, "latin1")))
    .join("\n");
