// The compiled program of a statement: https://sqlite.org/opcode.html
import type Database from "better-sqlite3";
import { refusal } from "../errors.ts";

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
export function compile(db: Database.Database, sql: string, allowed: ReadonlySet<string>): readonly Instruction[] {
  // The package's types do not declare this method.
  const program = (db as unknown as { explain(sql: string): readonly Instruction[] }).explain(sql);
  const denied = program.find((instruction) => !allowed.has(instruction.opcode) && !queriesJournalMode(instruction));
  if (denied !== undefined) throw refusal(`The statement is not allowed: it would make SQLite run ${denied.opcode}.`);
  return program;
}

/** CREATE … IF NOT EXISTS of an existing object contains this query (P3 is -1) to count as a statement that may write. */
const queriesJournalMode = ({ opcode, p3 }: Instruction): boolean => opcode === "JournalMode" && p3 === -1;
