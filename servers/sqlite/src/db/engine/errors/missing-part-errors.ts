// Errors about a collation, function, tokenizer or module of the program that made the database: which object needs it, and what works.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { calls, missingFunctionIn, missingParts, type MissingPart, type PartKind } from "../../schema/missing-parts.ts";
import type { Token } from "../../sql/tokens.ts";

const MAX_NAMES = 5;

const MESSAGES: readonly (readonly [message: RegExp, kind: PartKind])[] = [
  [/^no such collation sequence: (.+)$/s, "collation"],
  [/^(?:unknown|no such) tokenizer: (.+)$/s, "tokenizer"],
  [/^no such module: (.+)$/s, "module"],
];

/** SQLite's message with the object that needs the part; undefined where no object of the schema does. */
export function explainMissingPart(message: string, tokens: readonly Token[], db: Database.Database): string | undefined {
  const [kind, name] = partIn(message) ?? [];
  if (kind === undefined || name === undefined || (kind === "function" && calls(tokens, name))) return undefined;
  const part = missingParts(db).find((one) => one.kind === kind && one.name.toLowerCase() === name.toLowerCase());
  return part === undefined ? undefined : `${clip(message)}. ${missingPartSentence(part)}`;
}

function partIn(message: string): [PartKind, string] | undefined {
  const functionName = missingFunctionIn(message);
  if (functionName !== undefined) return ["function", functionName];
  for (const [pattern, kind] of MESSAGES) {
    const name = pattern.exec(message)?.[1];
    if (name !== undefined) return [kind, name];
  }
  return undefined;
}

/** Who needs the part, and what works without it. */
export const missingPartSentence = (part: MissingPart): string =>
  `${capital(listOf(part.neededBy.map((object) => `the ${clip(object, 80)}`)))} ${part.neededBy.length === 1 ? "needs" : "need"} this ${part.kind}, which only the program that made the database has. ${WORKS[part.kind](part)}`;

const WORKS: Readonly<Record<PartKind, (part: MissingPart) => string>> = {
  collation: () =>
    "What works: COLLATE NOCASE or COLLATE BINARY after the column wherever it is compared, grouped, sorted or selected by a subquery, count(1) in place of count(*), and a copy of the rows in a table of your own.",
  function: ({ neededBy }) => {
    if (neededBy.every((object) => object.startsWith("view "))) return "What works: the tables that the view reads.";
    if (neededBy.every((object) => object.startsWith("trigger "))) return "What works: SELECT, and changes that do not run the trigger.";
    return "What works: SELECT of the plain columns by their names.";
  },
  tokenizer: ({ texts = "" }) =>
    texts === "" ? "Its texts are not stored." : `What works: search_text, or LIKE on the table ${clip(texts, 80)}, which has the texts.`,
  module: () => "What works: all other tables, and the ordinary tables in which it keeps its data.",
};

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function listOf(names: readonly string[]): string {
  const listed = names.slice(0, MAX_NAMES);
  if (names.length > MAX_NAMES) listed.push(`${names.length - MAX_NAMES} more`);
  const last = listed.pop() ?? "";
  return listed.length === 0 ? last : `${listed.join(", ")} and ${last}`;
}
