// What CREATE, ALTER and DROP do to the schema, in words.
import { clip } from "@oarlock/domain-kit";
import type { SchemaChange } from "../protocol/change-messages.ts";
import type { Statement } from "../sql/statement.ts";
import { isSymbol, isWord, type Token } from "../sql/tokens.ts";
import { nameAt } from "./write-targets.ts";

/** Undefined for statements that leave the schema as it is. */
export function schemaChangeOf(statement: Statement): SchemaChange | undefined {
  const { verb } = statement;
  if (verb === "ALTER") return alteration(statement);
  if (verb !== "CREATE" && verb !== "DROP") return undefined;
  const { kind, name } = createdOrDropped(statement);
  return { object: `the ${kind.toLowerCase()} ${clip(name)}`, act: verb === "CREATE" ? "created" : "dropped" };
}

/** What a statement removes for good, in words; undefined where it removes nothing. */
export function droppedBy(statement: Statement): string | undefined {
  const change = schemaChangeOf(statement);
  return change?.act === "dropped" ? change.object : undefined;
}

/** The table or view that a statement drops, renames or changes, and that others may refer to. */
export function changedRelation(statement: Statement): string | undefined {
  if (statement.verb === "ALTER") return alteredTable(statement).table;
  if (statement.verb !== "DROP") return undefined;
  const { kind, name } = createdOrDropped(statement);
  return kind === "TABLE" || kind === "VIEW" ? name : undefined;
}

/** The name that CREATE or DROP gives, and the kind of the object: TABLE, VIRTUAL TABLE, INDEX … */
export function createdOrDropped({ tokens, verbIndex }: Statement): { kind: string; name: string } {
  let next = verbIndex + 1;
  for (const word of ["TEMP", "TEMPORARY", "UNIQUE"]) if (isWord(tokens[next], word)) next += 1;
  const isVirtual = isWord(tokens[next], "VIRTUAL");
  if (isVirtual) next += 1;
  const kind = `${isVirtual ? "VIRTUAL " : ""}${tokens[next]?.value.toUpperCase() ?? ""}`;
  next += 1;
  if (isWord(tokens[next], "IF")) next += isWord(tokens[next + 1], "NOT") ? 3 : 2;
  return { kind, name: nameAt(tokens, next) ?? "" };
}

/** The table of ALTER TABLE, and the words after its name. */
function alteredTable({ tokens, verbIndex }: Statement): { table: string; words: readonly Token[] } {
  const start = verbIndex + 2;
  const end = isSymbol(tokens[start + 1], ".") ? start + 3 : start + 1;
  return { table: nameAt(tokens, start) ?? "", words: tokens.slice(end) };
}

function alteration(statement: Statement): SchemaChange {
  const { table, words } = alteredTable(statement);
  const [action, second] = words;
  const isRenamed = isWord(action, "RENAME");
  const newName = clip(words.at(-1)?.value ?? "");
  if (isRenamed && isWord(second, "TO")) return { object: `the table ${clip(table)}`, act: `renamed to ${newName}` };
  const part = partOf(words);
  const object = `${part} of ${clip(table)}`;
  if (isRenamed) return { object, act: `renamed to ${newName}` };
  if (isWord(action, "ADD")) return { object, act: "added" };
  return { object, act: words.some((word) => isWord(word, "DROP")) ? "dropped" : "changed" };
}

/** The new name of a table in ALTER TABLE … RENAME TO; undefined for other statements. */
export function renamedTable(statement: Statement): { table: string; newName: string } | undefined {
  if (statement.verb !== "ALTER") return undefined;
  const { table, words } = alteredTable(statement);
  const [action, second, newName] = words;
  return isWord(action, "RENAME") && isWord(second, "TO") && newName !== undefined ? { table, newName: newName.value } : undefined;
}

/** The column or constraint that ALTER TABLE names after its first word. */
function partOf([action, second, third, fourth]: readonly Token[]): string {
  if (isWord(second, "CONSTRAINT")) return `the constraint ${clip(third?.value ?? "")}`;
  if (isWord(action, "ADD") && isWord(second, "CHECK")) return "a constraint";
  const hasWord = isWord(second, "COLUMN") && third !== undefined;
  const [column, next] = hasWord ? [third, fourth] : [second, third];
  const isRequired = isWord(action, "ALTER") && isWord(next, "DROP");
  return `the ${isRequired ? "NOT NULL of the " : ""}column ${clip(column?.value ?? "")}`;
}
