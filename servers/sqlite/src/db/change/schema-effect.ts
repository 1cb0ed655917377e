// What a CREATE, ALTER or DROP has done: whether it changed the schema, and which other objects it breaks.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { changedRelation, createdOrDropped, schemaChangeOf } from "../policy/schema-change.ts";
import type { SideEffects, WriteReply } from "../protocol/change-messages.ts";
import { brokenFullTextTables, referencesTo } from "../schema/broken-references.ts";
import { tableNamed } from "../schema/table-list.ts";
import type { Statement } from "../sql/statement.ts";
import { isSymbol, isWord } from "../sql/tokens.ts";
import { countOf } from "./altered-rows.ts";
import { typeAdvice } from "./type-advice.ts";

/** An object that can no longer be used. */
interface BrokenObject {
  /** In words. */
  readonly description: string;
  /** A later statement of the same transaction may mend it. */
  isStillBroken(): boolean;
}

export interface SchemaEffect {
  readonly schemaChange?: WriteReply["schemaChange"];
  readonly brokenObjects: readonly BrokenObject[];
}

export const NO_SCHEMA_EFFECT: SchemaEffect = { brokenObjects: [] };

/** Runs `act`, which executes the statement. */
export function withSchemaEffect<T>(db: Database.Database, statement: Statement, act: () => T): { result: T; effect: SchemaEffect } {
  const change = schemaChangeOf(statement);
  if (change === undefined) return { result: act(), effect: NO_SCHEMA_EFFECT };
  const mayBreak = statement.verb !== "CREATE";
  const versionBefore = schemaVersion(db);
  const brokenBefore = new Set(mayBreak ? brokenFullTextTables(db).map(({ name }) => name) : []);
  const dropped = statement.verb === "DROP" ? changedRelation(statement) : undefined;
  const references = dropped === undefined ? [] : referencesTo(db, dropped);
  const result = act();
  const isDone = schemaVersion(db) !== versionBefore;
  const advice = isDone && statement.verb !== "DROP" ? typeAdvice(db, statement) : undefined;
  const rows = isDone ? rowsOfNewTable(db, statement) : undefined;
  const schemaChange = { ...change, isDone, ...(rows !== undefined && { rows }), ...(advice !== undefined && { advice }) };
  if (!mayBreak || !isDone) return { result, effect: { schemaChange, brokenObjects: [] } };
  const brokenTables = brokenFullTextTables(db).filter(({ name }) => !brokenBefore.has(name));
  const brokenObjects = [
    ...references.map((description) => ({ description, isStillBroken: () => tableNamed(db, dropped ?? "") === undefined })),
    ...brokenTables.map(({ name, missing }) => ({
      description: `the full-text table ${clip(name)}, which reads ${missing}`,
      isStillBroken: () => brokenFullTextTables(db).some((table) => table.name === name),
    })),
  ];
  return { result, effect: { schemaChange, brokenObjects } };
}

/** Of CREATE TABLE … AS. */
function rowsOfNewTable(db: Database.Database, statement: Statement): number | undefined {
  const { kind, name } = createdOrDropped(statement);
  const isFilled =
    statement.verb === "CREATE" &&
    kind === "TABLE" &&
    isWord(
      statement.tokens.find((token) => isWord(token, "AS") || isSymbol(token, "(")),
      "AS",
    );
  return isFilled ? countOf(db, name) : undefined;
}

/** The objects that are broken when all statements have run. */
export function brokenBy(effects: readonly SchemaEffect[]): Pick<SideEffects, "broken"> {
  const broken = effects.flatMap(({ brokenObjects }) => brokenObjects.filter((one) => one.isStillBroken()));
  return broken.length === 0 ? {} : { broken: [...new Set(broken.map(({ description }) => description))] };
}

const schemaVersion = (db: Database.Database): number => Number(db.pragma("schema_version", { simple: true }));
