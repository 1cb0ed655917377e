// Touched names: what a call names as its target, for a line of the audit file.
import { normalize } from "node:path";
import { truncateText } from "@oarlock/domain-kit";
import { redact } from "../redaction.ts";

/** Arguments whose values name what is touched; contents and queries are in other arguments. */
const NAMING =
  /^(?:path|paths|source|destination|directory|repo_path|files?|database|table|table_name|name|names|new_?name|entity_?names?|entityType|from|to|relationType|branch|branch_name|tag|remote|revision|target|index|start_point|base_branch)$/i;
const MAX_NAMES = 20;
const MAX_DEPTH = 3;
/** Kept of each end of a long text. */
const MAX_END_LENGTH = 100;

/** `https://me:password@host` or `me@host:folder`, which may stand where a name does, such as in `remote`. */
const ADDRESS = /:\/\/|^[^\s/\\@]+@[^\s/\\:]+:/;

export interface Touched {
  readonly touched: readonly string[];
  /** Names that were left out: those beyond the first twenty, and addresses. Absent where there are none. */
  readonly more?: number;
}

/** The known names and those in the arguments of a call, each once, the first ones. */
export function touchedNames(args: unknown, known: readonly string[]): Touched {
  const names = new Set(known);
  const collect = (part: unknown, isName: boolean, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    if (typeof part === "string") {
      if (isName) names.add(part);
    } else if (Array.isArray(part)) for (const item of part) collect(item, isName, depth + 1);
    else if (typeof part === "object" && part !== null)
      for (const [key, member] of Object.entries(part)) collect(member, NAMING.test(key), depth + 1);
  };
  collect(args, false, 0);
  const touched = [...names]
    .filter((name) => !ADDRESS.test(name))
    .slice(0, MAX_NAMES)
    .map(visibleName);
  const more = names.size - touched.length;
  return { touched, ...(more > 0 && { more }) };
}

/** Without `/./` and `//`: a caller could write many of them, so that the name of the file is cut out. */
const visibleName = (name: string): string => redact(clipMiddle(name.length > 2 * MAX_END_LENGTH ? normalize(name) : name));

/** The beginning and the end of a long text, as the end of a path says most. */
export function clipMiddle(text: string): string {
  if (text.length <= 2 * MAX_END_LENGTH) return text;
  return `${truncateText(text, MAX_END_LENGTH)}${text.slice(-MAX_END_LENGTH).replace(/^[\udc00-\udfff]/, "")}`;
}
