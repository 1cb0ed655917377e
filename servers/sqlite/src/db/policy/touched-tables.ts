// The tables and views that a statement touches, for a record of changes: those that it names, and those of triggers and foreign keys.
import type { Statement } from "../sql/statement.ts";
import type { RowEffects } from "./row-effects.ts";
import { changedRelation, createdOrDropped, renamedTable } from "./schema-change.ts";
import { changeTarget } from "./write-targets.ts";

interface AnalyzedStatement {
  readonly statement: Statement;
  readonly rowEffects: RowEffects;
}

export function touchedTables({ statement, rowEffects: { writesTo, alsoChanges, clears } }: AnalyzedStatement): string[] {
  const names = [namedTarget(statement), renamedTable(statement)?.newName, ...writesTo, ...alsoChanges, ...clears];
  return [...new Set(names)].filter((name) => name !== undefined && name !== "" && !/^sqlite_/i.test(name)) as string[]; // just checked
}

/** What CREATE, ALTER and DROP name too. */
export function namedTarget(statement: Statement): string | undefined {
  const { verb } = statement;
  if (verb === "CREATE" || verb === "DROP") return createdOrDropped(statement).name;
  return changeTarget(statement) ?? changedRelation(statement);
}
