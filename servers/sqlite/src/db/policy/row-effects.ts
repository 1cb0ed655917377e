// What a statement may do to rows that exist already, its triggers and foreign keys included, by its compiled program.
import type Database from "better-sqlite3";
import { indexesOf } from "../schema/schema-pragmas.ts";
import type { Statement } from "../sql/statement.ts";
import { isWord } from "../sql/tokens.ts";
import type { Instruction } from "./program.ts";
import { commandsIn, commandsInTriggers } from "./table-commands.ts";
import { insertTarget } from "./write-targets.ts";

export interface RowEffects {
  /** It may update, replace or delete rows. False: it only adds rows. */
  readonly mayAlter: boolean;
  /** It may replace rows. SQLite does not count them as changed. */
  readonly mayReplace: boolean;
  /** The most rows that one added or updated row can replace: one for each unique key. */
  readonly maxReplaced: number;
  /** Triggers or foreign keys change further rows. Rows that triggers add to full-text indexes do not count. */
  readonly hasSideEffects: boolean;
  /** The tables whose rows triggers and foreign keys may add, update or delete. */
  readonly alsoChanges: readonly string[];
  /** Triggers write to virtual tables. SQLite then counts the rows of tables that hold their data, too. */
  readonly triggersWriteVirtualTables: boolean;
  /** The tables to which it may add rows. */
  readonly addsTo: readonly string[];
  /** The ordinary tables whose rows it may change, those of triggers and foreign keys included. */
  readonly writesTo: readonly string[];
  /** Full-text tables from which a command may remove rows. SQLite does not count them. */
  readonly clears: readonly string[];
  /** It is a command to a full-text table, which adds no row. */
  readonly isCommand: boolean;
  /** Outside a transaction it takes effect completely or not at all. False wherever the statement or a trigger writes to a virtual table. */
  readonly isAtomic: boolean;
}

/** Of a statement that only reads. */
export const NO_ROW_EFFECTS: RowEffects = {
  mayAlter: false,
  mayReplace: false,
  maxReplaced: 0,
  hasSideEffects: false,
  alsoChanges: [],
  triggersWriteVirtualTables: false,
  addsTo: [],
  writesTo: [],
  clears: [],
  isCommand: false,
  isAtomic: true,
};

// Flags of instructions: https://github.com/sqlite/sqlite/blob/master/src/vdbe.h, OPFLAG_… and OE_…
const COUNTS = 0x01;
const IS_UPDATE = 0x04;
const USES_SEEK_RESULT = 0x10;
const ROOT_IN_REGISTER = 0x10;
const FAIL = 3;
const REPLACE = 5;

export function rowEffectsOf(db: Database.Database, statement: Statement, program: readonly Instruction[]): RowEffects {
  const subprogramStart = program.findIndex(({ addr }, index) => index > 0 && addr === 0);
  const subprograms = subprogramStart === -1 ? [] : program.slice(subprogramStart);
  const writesVirtualTable = program.some(({ opcode, addr }, index) => opcode === "VUpdate" && addr === index);
  const commands = writesVirtualTable ? commandsIn(statement.tokens) : [];
  const triggersWriteVirtualTables = subprograms.some(({ opcode }) => opcode === "VUpdate");
  const inTriggers = triggersWriteVirtualTables ? commandsInTriggers(db) : [];
  const cleared = [...commands, ...inTriggers].filter(({ mayRemoveRows }) => mayRemoveRows);
  const clears = [...new Set(cleared.map(({ table }) => table.toLowerCase()))];
  const mayReplace = statement.tokens.some((token) => isWord(token, "REPLACE")) || schemaReplacesRows(db);
  const addsTo = tablesWithAdditions(db, writesVirtualTable ? insertTarget(statement) : undefined, program);
  return {
    mayAlter: mayReplace || clears.length > 0 || program.some(altersRow),
    mayReplace,
    maxReplaced: mayReplace ? Math.max(0, ...addsTo.map((table) => uniqueKeysOf(db, table))) : 0,
    hasSideEffects: subprograms.some((instruction) => altersRow(instruction) || addsRow(instruction)),
    alsoChanges: tablesChanged(db, subprograms),
    triggersWriteVirtualTables,
    addsTo,
    writesTo: tablesWritten(db, program),
    clears,
    isCommand: commands.length > 0,
    isAtomic: !program.some(({ opcode, p2 }) => opcode === "VUpdate" || (opcode.startsWith("Halt") && p2 === FAIL)),
  };
}

/** With the row id or primary key. */
const uniqueKeysOf = (db: Database.Database, table: string): number => 1 + indexesOf(db, table).filter(({ unique }) => unique === 1).length;

/** Adds a row to a table, not to an index or a temporary table. */
const addsRow = ({ opcode, p4, p5 }: Instruction): boolean =>
  (opcode === "Insert" && p4 !== null) || (opcode === "IdxInsert" && (p5 & COUNTS) !== 0);

/** Updates or deletes a row. A row of a WITHOUT ROWID table is updated by writing its index entry without a search for a free key. */
function altersRow({ opcode, p1, p2, p4, p5 }: Instruction): boolean {
  if (opcode === "Insert") return p4 !== null && (p5 & IS_UPDATE) !== 0;
  if (opcode === "IdxInsert") return (p5 & COUNTS) !== 0 && (p5 & USES_SEEK_RESULT) === 0;
  if (opcode === "Delete") return p4 !== null && (p2 & COUNTS) !== 0;
  return opcode === "Clear" || (opcode === "VUpdate" && (p1 === 0 || p5 === REPLACE));
}

/** ON CONFLICT REPLACE of a constraint, or REPLACE in a trigger. The program does not tell: SQLite may write over a row as it adds one. */
const schemaReplacesRows = (db: Database.Database): boolean =>
  db.prepare("SELECT 1 FROM main.sqlite_schema WHERE type IN ('table', 'trigger') AND sql LIKE '%REPLACE%' LIMIT 1").get() !== undefined;

function tablesWithAdditions(db: Database.Database, virtualTable: string | undefined, program: readonly Instruction[]): readonly string[] {
  const names = program.flatMap(({ opcode, p4 }) => (opcode === "Insert" && p4 !== null ? [p4] : []));
  const withoutRowid = namesOfKeyTables(db, program, addsRow);
  return [...new Set([...(virtualTable === undefined ? [] : [virtualTable]), ...names, ...withoutRowid])];
}

function tablesChanged(db: Database.Database, program: readonly Instruction[]): readonly string[] {
  const changes = (instruction: Instruction): boolean => addsRow(instruction) || altersRow(instruction);
  const names = program.flatMap((one) => (changes(one) && (one.opcode === "Insert" || one.opcode === "Delete") ? [one.p4 ?? ""] : []));
  return [...new Set([...names, ...namesOfKeyTables(db, program, changes)])];
}

function tablesWritten(db: Database.Database, program: readonly Instruction[]): readonly string[] {
  // The root of a table that the statement creates is in a register, and P2 is the number of the register.
  const opensTable = ({ opcode, p5 }: Instruction): boolean => opcode === "OpenWrite" && (p5 & ROOT_IN_REGISTER) === 0;
  const roots = program.flatMap((one) => (opensTable(one) ? [one.p2] : one.opcode === "Clear" ? [one.p1] : []));
  const ofRoot = db.prepare<[number], string>("SELECT name FROM main.sqlite_schema WHERE rootpage = ? AND type = 'table'").pluck();
  return [...new Set(roots)].flatMap((root) => ofRoot.get(root) ?? []).filter((name) => !/^sqlite_/i.test(name));
}

/** The WITHOUT ROWID tables with changed rows, found by the cursors that are open on them. */
function namesOfKeyTables(db: Database.Database, program: readonly Instruction[], changes: (one: Instruction) => boolean): string[] {
  const ofRoot = db.prepare<[number], string>("SELECT tbl_name FROM main.sqlite_schema WHERE rootpage = ?").pluck();
  const roots = new Map<number, number>();
  return program.flatMap((instruction) => {
    const { opcode, p1, p2 } = instruction;
    if (opcode === "OpenWrite") roots.set(p1, p2);
    const root = opcode === "IdxInsert" && changes(instruction) ? roots.get(p1) : undefined;
    return root === undefined ? [] : (ofRoot.get(root) ?? []);
  });
}
