// What a CREATE, ALTER or DROP has done: whether it changed the schema, and which other objects it breaks.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { changedRelation, createdOrDropped, droppedBy, schemaChangeOf } from "../policy/schema-change.ts";
import type { SchemaChange, SideEffects, WriteReply } from "../protocol/change-messages.ts";
import { nameAt } from "../policy/write-targets.ts";
import { brokenFullTextTables, referencesTo } from "../schema/broken-references.ts";
import { alteringObjectTexts } from "../schema/quoted-texts/objects.ts";
import { errorsOfChanges } from "../schema/quoted-texts/triggers.ts";
import { columnsOrError } from "../schema/schema-pragmas.ts";
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

/**
 * Runs `act`, which executes the statement.
 * @param recreating The statements that create again what it drops, where that loses no row.
 */
export function withSchemaEffect<T>(
  db: Database.Database,
  statement: Statement,
  recreating: readonly string[] | undefined,
  act: () => T,
): { result: T; effect: SchemaEffect } {
  const change = schemaChangeOf(statement);
  if (change === undefined) return { result: act(), effect: NO_SCHEMA_EFFECT };
  if (statement.verb === "CREATE") return withCreated(db, statement, change, act);
  const versionBefore = schemaVersion(db);
  const brokenBefore = new Set(brokenFullTextTables(db).map(({ name }) => name));
  const dropped = statement.verb === "DROP" ? changedRelation(statement) : undefined;
  const references = dropped === undefined ? [] : referencesTo(db, dropped);
  const altered = statement.verb === "ALTER" ? changedRelation(statement) : undefined;
  const { result, mended } = altered === undefined ? { result: act(), mended: [] } : alteringObjectTexts(db, altered, act);
  const isDone = schemaVersion(db) !== versionBefore;
  const advice = isDone && statement.verb !== "DROP" ? (typeAdvice(db, statement) ?? mendedText(mended)) : undefined;
  const schemaChange = { ...change, isDone, ...(advice !== undefined && { advice }), ...(recreating !== undefined && { recreating }) };
  if (!isDone) return { result, effect: { schemaChange, brokenObjects: [] } };
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

/** https://sqlite.org/quirks.html#double_quoted_string_literals_are_accepted */
const mendedText = (mended: readonly string[]): string | undefined =>
  mended.length === 0
    ? undefined
    : `ALTER needs texts in single quotes, so these have them now, without another meaning: ${clip(mended.join(", "), 300)}.`;

/** SQLite compiles neither the view nor the trigger that it creates: what they lack is found by the first use. */
function withCreated<T>(
  db: Database.Database,
  statement: Statement,
  change: SchemaChange,
  act: () => T,
): { result: T; effect: SchemaEffect } {
  const versionBefore = schemaVersion(db);
  const { kind, name } = createdOrDropped(statement);
  const on = statement.tokens.findIndex((token) => isWord(token, "ON"));
  const changed = kind === "TRIGGER" && on !== -1 ? nameAt(statement.tokens, on + 1) : undefined;
  const errorsNow = (): string[] => {
    if (kind === "VIEW") return [columnsOrError(db, name).error ?? []].flat();
    return changed === undefined ? [] : errorsOfChanges(db, changed).map(({ message }) => message);
  };
  const before = kind === "TRIGGER" ? errorsNow() : [];
  const result = act();
  const isDone = schemaVersion(db) !== versionBefore;
  const advice = isDone ? typeAdvice(db, statement) : undefined;
  const rows = isDone ? rowsOfNewTable(db, statement) : undefined;
  const schemaChange = { ...change, isDone, ...(rows !== undefined && { rows }), ...(advice !== undefined && { advice }) };
  const error = isDone ? errorsNow().find((one) => !before.includes(one)) : undefined;
  if (error === undefined) return { result, effect: { schemaChange, brokenObjects: [] } };
  const broken = { description: `${change.object} (${clip(error, 200)})`, isStillBroken: () => errorsNow().includes(error) };
  return { result, effect: { schemaChange, brokenObjects: [broken] } };
}

/** Of CREATE TABLE … AS. */
function rowsOfNewTable(db: Database.Database, statement: Statement): number | undefined {
  const { kind, name } = createdOrDropped(statement);
  const isFilled =
    kind === "TABLE" &&
    isWord(
      statement.tokens.find((token) => isWord(token, "AS") || isSymbol(token, "(")),
      "AS",
    );
  return isFilled ? countOf(db, name) : undefined;
}

/** What a statement has removed for good, in words; undefined where that is nothing, or can be created again without a loss. */
export function droppedFor(statement: Statement, { schemaChange, brokenObjects }: SchemaEffect): string | undefined {
  const isLossless = schemaChange?.recreating !== undefined && brokenObjects.length === 0;
  return schemaChange?.isDone === false || isLossless ? undefined : droppedBy(statement);
}

/** The objects that are broken when all statements have run. */
export function brokenBy(effects: readonly SchemaEffect[]): Pick<SideEffects, "broken"> {
  const broken = effects.flatMap(({ brokenObjects }) => brokenObjects.filter((one) => one.isStillBroken()));
  return broken.length === 0 ? {} : { broken: [...new Set(broken.map(({ description }) => description))] };
}

const schemaVersion = (db: Database.Database): number => Number(db.pragma("schema_version", { simple: true }));
