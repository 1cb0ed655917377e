// Compares a file with what is to be written to it: a write without an effect is not made, and costs no state in the trash.
import type { BigIntStats } from "node:fs";
import type { Entry, Sandbox } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";
import { readWhole } from "../read/byte-reader.ts";
import { etagOf } from "../read/etag.ts";
import { openTarget } from "./write-target.ts";

/** The etag of a file that has exactly these bytes. Undefined where it has others, or cannot be read. */
export async function etagIfSame(
  sandbox: Sandbox,
  entry: Entry,
  old: BigIntStats,
  bytes: Buffer,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (old.size !== BigInt(bytes.length)) return undefined;
  try {
    using file = openTarget(sandbox, entry, old, entry.path);
    const content = await readWhole(file, entry.path, bytes.length, signal);
    return content.equals(bytes) ? etagOf(content, file.fd) : undefined;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return undefined;
  }
}
