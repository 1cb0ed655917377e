// The policy on statements: each is compiled and allowed only if every opcode of its program is on a list. The prepared statement that
// was checked is the one that runs.
import type Database from "better-sqlite3";
import { DbError, refusal } from "../errors.ts";
import type { Column } from "../protocol/rows.ts";
import { shadowTablesOf, tableNamed, takenTablesOf, type TableType } from "../schema/table-list.ts";
import { pragmaAsSelect } from "../sql/pragma-table.ts";
import { isExplainQueryPlan, isReading, parseStatement, withoutExplain, type Statement } from "../sql/statement.ts";
import { isWord } from "../sql/tokens.ts";
import { checkClaimedNames } from "./claimed-names.ts";
import { READ_OPCODES, WRITE_OPCODES } from "./opcodes.ts";
import { compile, type Instruction } from "./program.ts";
import { NO_ROW_EFFECTS, rowEffectsOf, type RowEffects } from "./row-effects.ts";
import { changeTarget, checkWriteTarget, insertTarget, TEMPORARY_OBJECTS } from "./write-targets.ts";

/** A statement that the policy allows, ready to run. Kept for further calls until the schema changes. */
export interface AllowedStatement {
  readonly statement: Statement;
  readonly prepared: Database.Statement;
  readonly columns: readonly Column[];
  /** The columns as JSON text. */
  readonly columnsJson: string;
  /** Whether better-sqlite3 returns integers as `bigint`, which is exact past 2^53 and slower. */
  usesBigInts: boolean;
  readonly rowid: RowidUse;
  readonly rowEffects: RowEffects;
  /** The type of what it inserts into, updates or deletes from. Of a view, INSTEAD OF triggers do the work. */
  readonly targetType: TableType | undefined;
  /** It has aggregate or window functions: a row of the result may stand for several. */
  readonly combinesRows: boolean;
  /** It reads what an earlier statement left on the connection (`last_insert_rowid()` …). */
  readonly readsConnectionState: boolean;
  /** Names in double quotes that were taken as texts, because nothing is called so. */
  readonly texts?: readonly string[];
  /** A collation that does not exist here: it sorts by NOCASE in its place. */
  readonly missingCollation?: string;
  /** What SQLite runs otherwise than most databases, a sentence each. */
  readonly slips?: readonly string[];
}

/**
 * Whether a statement sets `last_insert_rowid()`; otherwise SQLite reports that of an earlier insert. "perhaps": ON CONFLICT DO UPDATE
 * may change a row instead. "unless-zero": commands to a virtual table are INSERTs too, and insert no row.
 */
export type RowidUse = "yes" | "no" | "perhaps" | "unless-zero";

/** Checks a statement that only reads. */
export function allowRead(db: Database.Database, text: string): AllowedStatement {
  const given = parseStatement(text);
  const statement = given.verb === "PRAGMA" ? parseStatement(pragmaAsSelect(given)) : given;
  if (!isReading(statement)) {
    if (!statement.isExplain) throw wouldChange(`this is ${statement.verb}`);
    throw refusal(`read_query only reads: this is ${statement.verb}. Use explain_query for its plan.`);
  }
  const program = compile(db, { ...statement, sql: withoutExplain(statement) }, READ_OPCODES);
  const prepared = db.prepare(statement.sql);
  if (!prepared.readonly || !prepared.reader) throw wouldChange("this statement does not");
  if (program.some(({ opcode, p2 }) => opcode === "Transaction" && p2 !== 0)) throw wouldChange("this statement would write");
  if (statement.isExplain && !isExplainQueryPlan(statement) && program.some(({ p4 }) => p4?.startsWith("vtab:") === true))
    throw refusal("EXPLAIN is not allowed here: the program contains memory addresses. Use EXPLAIN QUERY PLAN or explain_query.");
  return {
    statement,
    prepared: prepared.raw(true),
    usesBigInts: false,
    rowid: "no",
    targetType: undefined,
    rowEffects: NO_ROW_EFFECTS,
    combinesRows: program.some(({ opcode }) => opcode.startsWith("Agg") || opcode === "Count"),
    readsConnectionState: readsConnectionState(program),
    ...columnsOf(prepared),
  };
}

/** The next step depends on the database: the caller, which knows it, adds it. */
const wouldChange = (why: string): DbError => new DbError("would-change", `read_query only reads: ${why}.`);

/** Checks a statement that changes the database. */
export function allowWrite(db: Database.Database, text: string): AllowedStatement {
  const statement = parseStatement(text);
  if (statement.verb === "PRAGMA")
    throw refusal(
      "PRAGMA is not allowed: settings are the operator's. Pragmas that read are tables: SELECT * FROM pragma_table_info('t').",
    );
  if (isReading(statement) || statement.isExplain)
    throw refusal("write_query changes data: this statement only reads. Use read_query or explain_query.");
  checkWriteTarget(statement, shadowTablesOf(db), takenTablesOf(db));
  checkClaimedNames(db, statement);
  const program = compile(db, statement, WRITE_OPCODES);
  // ALTER also searches temporary objects; there are none.
  if (statement.verb !== "ALTER" && program.some(({ opcode, p1, p2 }) => opcode === "Transaction" && p2 !== 0 && p1 !== 0))
    throw refusal(TEMPORARY_OBJECTS);
  const prepared = db.prepare(statement.sql);
  const target = changeTarget(statement);
  return {
    statement,
    prepared: prepared.reader ? prepared.raw(true).safeIntegers(true) : prepared,
    // A change must not run a second time for exact integers, so they are exact from the start.
    usesBigInts: true,
    rowid: rowidUse(db, statement),
    targetType: target === undefined ? undefined : tableNamed(db, target)?.type,
    rowEffects: rowEffectsOf(db, statement, program),
    combinesRows: false,
    readsConnectionState: readsConnectionState(program),
    ...columnsOf(prepared),
  };
}

function columnsOf(prepared: Database.Statement): Pick<AllowedStatement, "columns" | "columnsJson"> {
  const columns = prepared.reader ? prepared.columns().map(({ name, type }) => ({ name, declaredType: type })) : [];
  return { columns, columnsJson: JSON.stringify(columns) };
}

const CONNECTION_STATE = /^(?:last_insert_rowid|changes|total_changes)\(/;

const readsConnectionState = (program: readonly Instruction[]): boolean => program.some(({ p4 }) => CONNECTION_STATE.test(p4 ?? ""));

function rowidUse(db: Database.Database, statement: Statement): RowidUse {
  const name = insertTarget(statement);
  const table = name === undefined ? undefined : tableNamed(db, name);
  if (table === undefined || table.withoutRowid) return "no";
  if (table.type === "virtual") return "unless-zero";
  if (table.type !== "table") return "no";
  const { tokens } = statement;
  return tokens.some((token, index) => isWord(token, "DO") && isWord(tokens[index + 1], "UPDATE")) ? "perhaps" : "yes";
}
