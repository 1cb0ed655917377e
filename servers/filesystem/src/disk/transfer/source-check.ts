// The checks of an entry that is copied or moved.
import { clip } from "@oarlock/domain-kit";
import type { BigIntStats } from "node:fs";
import type { Sandbox, Entry } from "../access/sandbox.ts";
import { lookAt } from "../access/entry-stat.ts";
import { checkLinkStaysInside } from "../access/link-target.ts";
import { missingEntry } from "../access/similar-name.ts";
import { DiskError, intoAdvice } from "../errors.ts";

/** The paths of the call. */
interface Given {
  readonly from: string;
  readonly to: string;
}

/** The metadata of the source. Throws where it is missing, a special file, a link that leads outside, or not the directory that a slash names. */
export function checkSource(sandbox: Sandbox, source: Entry, target: Entry, { from, to }: Given): BigIntStats {
  const stat = lookAt(source);
  if (stat === undefined) throw missingEntry(sandbox, source, from);
  if ((source.asFolder || target.asFolder) && !stat.isDirectory()) {
    const [path, advice] = source.asFolder ? [from, ""] : [to, `. ${intoAdvice(to, source.name)}`];
    throw new DiskError("not-a-folder", `A path that ends in a slash must be a directory: ${clip(path)}${advice}`);
  }
  if (stat.isSymbolicLink()) checkLinkStaysInside(sandbox, from);
  else if (!stat.isDirectory() && !stat.isFile()) throw special(from);
  return stat;
}

export const special = (path: string): DiskError => new DiskError("not-a-file", `Not a file, directory or link: ${clip(path)}`);
