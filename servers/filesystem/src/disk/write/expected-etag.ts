// Compares the etag that a caller expects with that of the file, under the lock.
import type { BigIntStats } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import type { Sandbox, Entry } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";
import { HASHED_BYTES, etagOfContent, etagOfFacts } from "../read/etag.ts";
import { readNow } from "../read/byte-reader.ts";
import { openTarget } from "./write-target.ts";

/** Throws unless the file has the expected etag. `there`: undefined when there is no file. */
export function mustHaveEtag(expected: string, sandbox: Sandbox, entry: Entry, there: BigIntStats | undefined, path: string): void {
  mustMatch(expected, there === undefined ? undefined : currentEtag(sandbox, entry, there, path), path);
}

function currentEtag(sandbox: Sandbox, entry: Entry, there: BigIntStats, path: string): string {
  using file = openTarget(sandbox, entry, there, path);
  const size = Number(file.stat.size);
  return size > HASHED_BYTES ? etagOfFacts(file.stat) : etagOfContent(readNow(file.fd, 0, size));
}

/** The etag of the file is not the expected one. */
export class EtagConflict extends DiskError {
  /** Undefined where there is no file. */
  readonly current: string | undefined;

  constructor(message: string, current: string | undefined) {
    super("conflict", message);
    this.current = current;
  }
}

export function mustMatch(expected: string, current: string | undefined, path: string): void {
  if (expected === current) return;
  const what = current === undefined ? "the file does not exist" : `the file has changed since then and its etag is ${current}`;
  throw new EtagConflict(`Expected the file to have the etag ${clip(expected, 60)}, but ${what}. Read it again: ${clip(path)}`, current);
}
