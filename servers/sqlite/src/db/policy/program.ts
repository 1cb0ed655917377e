// The compiled program of a statement: https://sqlite.org/opcode.html
import type Database from "better-sqlite3";
import { refusal } from "../errors.ts";
import type { Statement } from "../sql/statement.ts";

/** An instruction. Those of triggers and foreign keys follow in programs of their own, each from address 0. */
export interface Instruction {
  readonly addr: number;
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  readonly p4: string | null;
  readonly p5: number;
}

/** The program of a statement, which is compiled and not run. Refuses opcodes that are not listed. */
export function compile(
  db: Database.Database,
  statement: Pick<Statement, "sql" | "variables">,
  allowed: ReadonlySet<string>,
): readonly Instruction[] {
  const program = programOf(db, statement);
  const denied = program.find((instruction) => !allowed.has(instruction.opcode) && !queriesJournalMode(instruction));
  if (denied !== undefined) throw refusal(`The statement is not allowed: it would make SQLite run ${denied.opcode}.`);
  return program;
}

type Row = [addr: number, opcode: string, p1: number, p2: number, p3: number, p4: string | null, p5: number];

/**
 * The driver's `explain` takes a statement with parameters as it is, and makes a function for the rows of each statement. Rows as lists,
 * which need values for parameters, save a third of its time.
 */
function programOf(db: Database.Database, { sql, variables }: Pick<Statement, "sql" | "variables">): readonly Instruction[] {
  // The package's types do not declare this method.
  if (variables.length > 0) return (db as unknown as { explain(sql: string): readonly Instruction[] }).explain(sql);
  const rows = db.prepare<[], Row>(`EXPLAIN ${sql}`).raw(true).all();
  return rows.map(([addr, opcode, p1, p2, p3, p4, p5]) => ({ addr, opcode, p1, p2, p3, p4, p5 }));
}

/** CREATE … IF NOT EXISTS of an existing object contains this query (P3 is -1) to count as a statement that may write. */
const queriesJournalMode = ({ opcode, p3 }: Instruction): boolean => opcode === "JournalMode" && p3 === -1;
