// Completion of a partly typed path, within the area. A path outside gets the same empty answer as one that does not exist.
import { systemErrorCode } from "@oarlock/domain-kit";
import type { Area } from "../access/area.ts";
import { readEntries, withSeparator } from "./directory-entries.ts";
import { DiskError } from "../errors.ts";

/** The most values of a completion in the protocol. */
const SUGGESTIONS = 100;
/** PATH_MAX of Linux: a longer text is not a path. */
const MAX_TYPED = 4096;
/** Entries that are read of a folder. */
const MAX_ENTRIES = 50_000;

export interface Suggestions {
  /** Each begins with the text as typed; a directory ends in a slash. */
  readonly values: readonly string[];
  /** There are more values. */
  readonly more: boolean;
}

const NONE: Suggestions = { values: [], more: false };

export async function suggestPaths(area: Area, typed: string, limit: number = SUGGESTIONS): Promise<Suggestions> {
  if (typed.length > MAX_TYPED || typed.includes("\0")) return NONE;
  const cut = typed.lastIndexOf("/") + 1;
  const found = new Set<string>();
  // Roots that begin with the typed text; `/data` lacks only its slash.
  if (typed === "" || typed.startsWith("/")) {
    for (const { given, real } of area.roots) {
      for (const root of new Set([given, real])) {
        const whole = withSeparator(root);
        if (whole.startsWith(typed) && whole !== typed) found.add(whole);
      }
    }
  }
  // A relative path is tried in each root, as in every call; the empty text completes to the roots.
  const bases = typed === "" ? [] : typed.startsWith("/") ? [""] : area.roots.map((root) => withSeparator(root.real));
  for (const base of bases) {
    for (const value of await below(area, base, typed.slice(0, cut), typed.slice(cut), limit + 1)) found.add(value);
  }
  const values = [...found];
  return { values: values.slice(0, limit), more: values.length > limit };
}

async function below(area: Area, base: string, folderText: string, begun: string, most: number): Promise<string[]> {
  const values: string[] = [];
  try {
    using folder = area.folder(base + folderText);
    const prefix = withSeparator(folder.path);
    const { entries } = await readEntries(folder, MAX_ENTRIES);
    for (const entry of entries) {
      // A name that is not UTF-8 cannot be typed.
      if (entry.odd || !entry.name.startsWith(begun) || !area.shows(prefix + entry.name)) continue;
      values.push(`${folderText}${entry.name}${entry.isDirectory() ? "/" : ""}`);
      if (values.length >= most) break;
    }
  } catch (error) {
    // Outside, missing, not a folder, or not readable.
    if (!(error instanceof DiskError) && systemErrorCode(error) === undefined) throw error;
  }
  return values;
}
