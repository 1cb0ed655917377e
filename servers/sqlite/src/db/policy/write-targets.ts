// Targets of changing statements: refuses SQLite's own tables, shadow tables, temporary objects and foreign modules, and finds the
// table whose rows a statement changes.
import { clip } from "@oarlock/domain-kit";
import { refusal } from "../errors.ts";
import type { Statement } from "../sql/statement.ts";
import { isName, isSymbol, isWord, type Token } from "../sql/tokens.ts";
import { STORED_MODULES } from "./allowed-features.ts";

export const TEMPORARY_OBJECTS = "Temporary objects are not allowed: nothing outlasts its call. Create an ordinary table instead.";

/**
 * @param shadowTables Tables in which virtual tables keep their data, in lower case.
 * @param takenTables Tables that only have such a name, in lower case, and the virtual tables. SQLite protects them from changes.
 */
export function checkWriteTarget(
  statement: Statement,
  shadowTables: ReadonlySet<string>,
  takenTables: ReadonlyMap<string, string> = new Map(),
): void {
  const { tokens, verb, verbIndex } = statement;
  // Anywhere in the text, as triggers contain statements: INTO sqlite_…, UPDATE sqlite_…, DELETE FROM sqlite_….
  for (const [index, token] of tokens.entries()) {
    if (isName(token) && /^sqlite_/i.test(token.value) && isTarget(tokens, index))
      throw refusal(`${clip(token.value)} belongs to SQLite itself and cannot be changed by statements.`);
    if (isName(token) && shadowTables.has(token.value.toLowerCase()) && (token.kind !== "text" || isTarget(tokens, index)))
      throw refusal(`${clip(token.value)} belongs to a virtual table and cannot be used directly. Change the virtual table instead.`);
    const takenBy = isName(token) && isTarget(tokens, index) ? takenTables.get(token.value.toLowerCase()) : undefined;
    if (takenBy !== undefined)
      throw refusal(
        `${clip(token.value)} cannot be changed: its name makes SQLite take it for a part of the virtual table ${clip(takenBy)}. Rename ${clip(takenBy)}, or copy the rows to a table with another name.`,
      );
  }
  if (verb !== "CREATE") return;
  const next = tokens[verbIndex + 1];
  if (isWord(next, "TEMP") || isWord(next, "TEMPORARY")) throw refusal(TEMPORARY_OBJECTS);
  if (isWord(next, "VIRTUAL")) checkModule(tokens, verbIndex);
}

/** Whether the name at this index is written to, rather than read. */
function isTarget(tokens: readonly Token[], index: number): boolean {
  const hasSchema = isSymbol(tokens[index - 1], "."); // main.sqlite_sequence
  const before = hasSchema ? index - 3 : index - 1;
  const [token, earlier] = [tokens[before], tokens[before - 1]];
  if (isWord(token, "INTO") || isWord(token, "UPDATE") || isWord(token, "TABLE") || isWord(token, "EXISTS")) return true;
  // CREATE INDEX … ON t. In other statements a condition follows ON.
  if (isWord(token, "ON") && isWord(tokens[0], "CREATE")) return true;
  if (isWord(token, "FROM") && isWord(earlier, "DELETE")) return true;
  // UPDATE OR IGNORE sqlite_…
  return isWord(earlier, "OR") && isWord(tokens[before - 2], "UPDATE");
}

function checkModule(tokens: readonly Token[], verbIndex: number): void {
  const using = tokens.findIndex((token, index) => index > verbIndex && isWord(token, "USING"));
  const module = tokens[using + 1];
  if (using === -1 || !isName(module) || !STORED_MODULES.has(module.value.toLowerCase()))
    throw refusal(`Invalid virtual table: expected one of the modules ${[...STORED_MODULES].join(", ")}.`);
}

/** The table that INSERT and REPLACE add to; undefined for other statements. */
export function insertTarget({ verb, tokens, verbIndex }: Statement): string | undefined {
  if (verb !== "INSERT" && verb !== "REPLACE") return undefined;
  const into = tokens.findIndex((token, index) => index > verbIndex && isWord(token, "INTO"));
  return nameAt(tokens, into + 1);
}

/** The table or view that INSERT, UPDATE or DELETE changes. */
export function changeTarget(statement: Statement): string | undefined {
  const { verb, tokens, verbIndex } = statement;
  if (verb === "DELETE") return nameAt(tokens, verbIndex + 2);
  if (verb === "UPDATE") return nameAt(tokens, isWord(tokens[verbIndex + 1], "OR") ? verbIndex + 3 : verbIndex + 1);
  return insertTarget(statement);
}

/** The last name of `name` or `schema.name`. */
export const nameAt = (tokens: readonly Token[], index: number): string | undefined =>
  tokens[isSymbol(tokens[index + 1], ".") ? index + 2 : index]?.value;
