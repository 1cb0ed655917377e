// The inner door: what the engine itself says a statement does. A statement that was looked at is kept and is the one that runs.
import type Database from "better-sqlite3";
import { refused } from "../errors.ts";
import type { Column } from "../protocol/requests.ts";
import { asTable } from "../sql/pragma-table.ts";
import { isReading, isWord, statementOf, type Statement } from "../sql/statement.ts";
import { READ_OPCODES, WRITE_OPCODES } from "./opcodes.ts";
import { tablesOf, type Listed } from "../schema/table-list.ts";
import { aimOf, checkTarget, insertedInto } from "./write-targets.ts";

export interface Vetted {
  readonly statement: Statement;
  readonly prepared: Database.Statement;
  readonly columns: readonly Column[];
  /** The same as JSON. */
  readonly columnsJson: string;
  /** It has no loop and one place where a row comes out, so it gives one row at most. */
  readonly single: boolean;
  readonly rowid: GivesRowid;
  /** Triggers and foreign keys may change more than the statement itself. */
  readonly spreads: boolean;
  /** What it inserts into, updates or deletes from: of a view, triggers do that in its stead. */
  readonly aim: Listed["type"] | undefined;
  /** Where it fails, what it did until then stays: OR FAIL, or ON CONFLICT FAIL of the table. */
  readonly mayFailHalfway: boolean;
  /** It asks what an earlier statement did on the connection. */
  readonly looksBack: boolean;
  /** What the last run gave, when it gave all there was, and of what: the same again can be fetched in one go. */
  last?: { readonly rows: number; readonly bytes: number; readonly of: string } | undefined;
  /** Integers past 2^53 came up. */
  exact?: boolean;
}

/**
 * Whether it inserts a row with an id: elsewhere SQLite would tell that of an earlier insert. "perhaps": ON CONFLICT DO UPDATE may
 * change a row instead, and leaves that id in place. "unless-zero": what a virtual table is told to do is an INSERT too, with no row.
 */
export type GivesRowid = "yes" | "no" | "perhaps" | "unless-zero";

interface Opcode {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  readonly p4: string | null;
}

/** What an earlier statement of the connection leaves behind for these to see. */
const LOOKS_BACK = /^(?:last_insert_rowid|changes|total_changes)\(/;

/** A statement that only reads, ready to run. */
export function vetRead(db: Database.Database, text: string): Vetted {
  const given = statementOf(text);
  const statement = given.verb === "PRAGMA" ? statementOf(asTable(given)) : given;
  const instead = statement.explain ? "explain_query tells how it would run" : "write_query changes data";
  if (!isReading(statement)) throw refused(`read_query only reads, and this is ${statement.verb}; ${instead}`);
  const codes = codesOf(db, withoutExplain(statement), READ_OPCODES);
  const prepared = db.prepare(statement.sql);
  if (!prepared.readonly || !prepared.reader) throw refused("read_query only reads, and this statement does not; write_query changes data");
  if (codes.some(({ opcode, p2 }) => opcode === "Transaction" && p2 !== 0))
    throw refused("read_query only reads, and this statement would write");
  if (statement.explain && !asksPlan(statement) && codes.some(({ p4 }) => p4?.startsWith("vtab:") === true))
    throw refused("This program of SQLite's machine holds addresses and is not shown; EXPLAIN QUERY PLAN and explain_query tell the plan");
  return { statement, prepared: prepared.raw(true), rowid: "no", aim: undefined, ...withColumns(prepared), ...factsOf(codes, statement) };
}

/** A statement that changes something in the one database, ready to run. */
export function vetWrite(db: Database.Database, text: string): Vetted {
  const statement = statementOf(text);
  if (statement.verb === "PRAGMA")
    throw refused(
      "PRAGMA is not run: settings are the operator's; those that only tell something are tables: SELECT * FROM pragma_table_info('t')",
    );
  if (isReading(statement) || statement.explain)
    throw refused("write_query changes data, and this statement only reads; use read_query or explain_query");
  checkTarget(statement, shadowsOf(db));
  const codes = codesOf(db, statement.sql, WRITE_OPCODES);
  // ALTER looks for temporary objects too; there are none.
  if (statement.verb !== "ALTER" && codes.some(({ opcode, p1, p2 }) => opcode === "Transaction" && p2 !== 0 && p1 !== 0))
    throw refused("Temporary objects are not made: they would be gone with the call");
  const prepared = db.prepare(statement.sql);
  return {
    statement,
    prepared: prepared.reader ? prepared.raw(true).safeIntegers(true) : prepared,
    // From the first row on: what changes something is not run again for exact ones.
    exact: true,
    rowid: givesRowid(db, statement),
    aim: typeOfAim(db, statement),
    ...withColumns(prepared),
    ...factsOf(codes, statement),
  };
}

/** CREATE … IF NOT EXISTS of what exists asks so (P3 is -1), to count as a statement that may write. */
const asksJournalMode = ({ opcode, p3 }: Opcode): boolean => opcode === "JournalMode" && p3 === -1;

const LOOPS: ReadonlySet<string> = new Set([
  "Next",
  "Prev",
  "VNext",
  "SorterNext",
  "Rewind",
  "Last",
  "Yield",
  "RowSetRead",
  "Gosub",
  "VFilter",
]);
const SPREADS: ReadonlySet<string> = new Set(["Program", "FkCounter", "FkCheck", "VUpdate"]);

const HALTS: ReadonlySet<string> = new Set(["Halt", "HaltIfNull"]);
/** What SQLite calls OE_Fail. */
const FAIL = 3;

function withColumns(prepared: Database.Statement): Pick<Vetted, "columns" | "columnsJson"> {
  const columns = prepared.reader ? prepared.columns().map(({ name, type }) => ({ name, declaredType: type })) : [];
  return { columns, columnsJson: JSON.stringify(columns) };
}

const factsOf = (codes: readonly Opcode[], { explain }: Statement) => ({
  // UNION ALL has several such places; EXPLAIN gives a row for each step.
  single: !explain && codes.filter(({ opcode }) => opcode === "ResultRow").length <= 1 && !codes.some(({ opcode }) => LOOPS.has(opcode)),
  spreads: codes.some(({ opcode }) => SPREADS.has(opcode)),
  mayFailHalfway: codes.some(({ opcode, p2 }) => HALTS.has(opcode) && p2 === FAIL),
  looksBack: codes.some(({ p4 }) => LOOKS_BACK.test(p4 ?? "")),
});

function givesRowid(db: Database.Database, statement: Statement): GivesRowid {
  const name = insertedInto(statement)?.toLowerCase();
  const table = tablesOf(db).find((one) => one.name.toLowerCase() === name);
  if (table?.type === "virtual" && table.wr === 0) return "unless-zero";
  if (table?.type !== "table" || table.wr !== 0) return "no";
  return statement.tokens.some((token, index) => isWord(token, "DO") && isWord(statement.tokens[index + 1], "UPDATE")) ? "perhaps" : "yes";
}

function typeOfAim(db: Database.Database, statement: Statement): Listed["type"] | undefined {
  const name = aimOf(statement)?.toLowerCase();
  return name === undefined ? undefined : tablesOf(db).find((one) => one.name.toLowerCase() === name)?.type;
}

function shadowsOf(db: Database.Database): ReadonlySet<string> {
  return new Set(tablesOf(db).flatMap(({ name, type }) => (type === "shadow" ? [name.toLowerCase()] : [])));
}

const asksPlan = ({ tokens }: Statement): boolean => isWord(tokens[1], "QUERY");

/** The program of a statement, each step of which is on the list. It is compiled, not run. */
function codesOf(db: Database.Database, sql: string, allowed: ReadonlySet<string>): readonly Opcode[] {
  // The types of the package do not know this method yet.
  const codes = (db as unknown as { explain(sql: string): readonly Opcode[] }).explain(sql);
  const other = codes.find((code) => !allowed.has(code.opcode) && !asksJournalMode(code));
  if (other !== undefined) throw refused(`The statement is not run: it would make SQLite do what is not allowed here (${other.opcode})`);
  return codes;
}

/** The statement behind EXPLAIN, or all of it. */
export function withoutExplain(statement: Statement): string {
  const { sql, tokens, explain } = statement;
  if (!explain) return sql;
  const [first] = tokens;
  const from = tokens[asksPlan(statement) ? 3 : 1];
  return from === undefined || first === undefined ? sql : sql.slice(from.start - first.start);
}
