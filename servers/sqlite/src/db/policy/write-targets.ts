// What a changing statement is aimed at: things of SQLite's own, temporary things and foreign modules are no target.
import { refused, shown } from "../errors.ts";
import { isMark, isName, isWord, type Statement } from "../sql/statement.ts";
import type { Token } from "../sql/tokens.ts";

/** Modules that keep all their data in the same file, behind tables that defensive mode protects. */
const MODULES: ReadonlySet<string> = new Set(["fts5", "fts4", "fts3", "rtree", "rtree_i32", "geopoly", "fts5vocab"]);

/** `shadows`: tables in which virtual tables keep their data, in small letters. */
export function checkTarget(statement: Statement, shadows: ReadonlySet<string>): void {
  const { tokens, verb, at } = statement;
  // Anywhere in the text, as triggers hold statements too: INTO sqlite_…, UPDATE sqlite_…, DELETE FROM sqlite_….
  for (const [index, token] of tokens.entries()) {
    if (isName(token) && /^sqlite_/i.test(token.value) && isAimed(tokens, index))
      throw refused(`${shown(token.value)} belongs to SQLite itself and is not changed by statements`);
    if (isName(token) && shadows.has(token.value.toLowerCase()) && (token.kind !== "text" || isAimed(tokens, index)))
      throw refused(`${shown(token.value)} belongs to a virtual table and is not touched by statements; change that table instead`);
  }
  if (verb !== "CREATE" && verb !== "DROP" && verb !== "ALTER") return;
  const words = tokens.slice(at + 1, at + 4);
  if (verb === "CREATE" && (isWord(words[0], "TEMP") || isWord(words[0], "TEMPORARY")))
    throw refused("Temporary objects are not made: they would be gone with the call");
  if (verb === "CREATE" && isWord(words[0], "VIRTUAL")) checkModule(tokens, at);
}

function isAimed(tokens: readonly Token[], index: number): boolean {
  let before = index - 1;
  // main.sqlite_sequence
  if (isMark(tokens[before], ".")) before -= 2;
  const [token, earlier] = [tokens[before], tokens[before - 1]];
  if (isWord(token, "INTO") || isWord(token, "UPDATE") || isWord(token, "TABLE") || isWord(token, "EXISTS")) return true;
  // Elsewhere a condition follows, as of a JOIN.
  if (isWord(token, "ON") && isWord(tokens[0], "CREATE")) return true;
  if (isWord(token, "FROM") && isWord(earlier, "DELETE")) return true;
  // UPDATE OR IGNORE sqlite_…
  return isWord(earlier, "OR") && isWord(tokens[before - 2], "UPDATE");
}

function checkModule(tokens: readonly Token[], at: number): void {
  const using = tokens.findIndex((token, index) => index > at && isWord(token, "USING"));
  const module = tokens[using + 1];
  if (using === -1 || !isName(module) || !MODULES.has(module.value.toLowerCase()))
    throw refused(`Virtual tables are made with the modules ${[...MODULES].join(", ")} only`);
}

/** What a statement takes away for good, in words; undefined where it takes nothing away. */
export function droppedBy(statement: Statement): string | undefined {
  const { verb, tokens, at } = statement;
  if (verb === "DROP") {
    const { kind, name } = namedBy(statement);
    return `the ${kind.toLowerCase()} ${shown(name)}`;
  }
  const drop = verb === "ALTER" ? tokens.findIndex((token, index) => index > at && isWord(token, "DROP")) : -1;
  return drop === -1
    ? undefined
    : `the ${tokens
        .slice(drop + 1, drop + 3)
        .map(({ value }) => shown(value))
        .join(" ")} of ${shown(tokens[at + 2]?.value ?? "")}`;
}

/** The table that INSERT and REPLACE add to; undefined for other statements. */
export function insertedInto({ verb, tokens, at }: Statement): string | undefined {
  if (verb !== "INSERT" && verb !== "REPLACE") return undefined;
  const into = tokens.findIndex((token, index) => index > at && isWord(token, "INTO"));
  return tokens[isMark(tokens[into + 2], ".") ? into + 3 : into + 1]?.value;
}

/** What INSERT, UPDATE or DELETE is about. */
export function aimOf(statement: Statement): string | undefined {
  const { verb, tokens, at } = statement;
  if (verb !== "UPDATE" && verb !== "DELETE") return insertedInto(statement);
  // UPDATE OR IGNORE t, DELETE FROM t
  const name = verb === "DELETE" ? at + 2 : isWord(tokens[at + 1], "OR") ? at + 3 : at + 1;
  return tokens[isMark(tokens[name + 1], ".") ? name + 2 : name]?.value;
}

/** The name that CREATE TABLE or DROP gives, and of what kind it is. */
export function namedBy({ tokens, at }: Statement): { kind: string; name: string } {
  let next = at + 1;
  for (const word of ["TEMP", "TEMPORARY", "UNIQUE"]) if (isWord(tokens[next], word)) next += 1;
  const virtual = isWord(tokens[next], "VIRTUAL");
  if (virtual) next += 1;
  const kind = `${virtual ? "VIRTUAL " : ""}${tokens[next]?.value.toUpperCase() ?? ""}`;
  next += 1;
  if (isWord(tokens[next], "IF")) next += isWord(tokens[next + 1], "NOT") ? 3 : 2;
  if (isMark(tokens[next + 1], ".")) next += 2;
  return { kind, name: tokens[next]?.value ?? "" };
}
