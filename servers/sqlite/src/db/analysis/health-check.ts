// The health of a database: damage, broken foreign keys, indexes, statistics and size.
import type Database from "better-sqlite3";
import type { Engine } from "../engine/engine.ts";
import { explainError } from "../engine/errors/error-messages.ts";
import { isBusy, isObjectError } from "../engine/sqlite-errors.ts";
import { checkData } from "../data-check/data-check.ts";
import { DbError } from "../errors.ts";
import type { CheckName, CheckReply, CheckRequest } from "../protocol/schema-messages.ts";
import { userTables } from "../schema/table-list.ts";
import { checkForeignKeys } from "./foreign-key-check.ts";
import { checkIndexes, type CutList } from "./index-check.ts";
import { checkIntegrity } from "./integrity-check.ts";
import { checkSchema } from "./schema-check.ts";
import { checkSize } from "./size-check.ts";

const MAX_FINDINGS = 100;

export function checkHealth(engine: Engine, { checks }: CheckRequest): CheckReply {
  const { db } = engine;
  let truncated = false;
  const cut: CutList = (findings) => {
    truncated ||= findings.length > MAX_FINDINGS;
    return findings.slice(0, MAX_FINDINGS);
  };
  const run: Readonly<Record<CheckName, () => unknown>> = {
    quick_check: () => cut(checkIntegrity(db, "quick_check", MAX_FINDINGS + 1)),
    integrity_check: () => cut(checkIntegrity(db, "integrity_check", MAX_FINDINGS + 1)),
    schema: () => checkSchema(db, cut),
    foreign_keys: () => cut(checkForeignKeys(db)),
    indexes: () => checkIndexes(db, cut),
    statistics: () => checkStatistics(db, cut),
    size: () => checkSize(engine),
    data: () => {
      const { findings: found, links = [], notChecked = [] } = checkData(db);
      return {
        findings: cut(found),
        ...(links.length > 0 && { linksWithoutForeignKey: cut(links) }),
        ...(notChecked.length > 0 && { notChecked: cut(notChecked) }),
      };
    },
  };
  const findings = Object.fromEntries(checks.map((name) => [name, findingsOrError(db, name, run[name])]));
  return truncated ? { ...findings, truncated } : findings;
}

/** A check that fails reports why; the other checks may go further. */
function findingsOrError(db: Database.Database, name: CheckName, check: () => unknown): unknown {
  try {
    return check();
  } catch (error) {
    if (isBusy(error)) throw error; // waited for, and tried again
    const explained = explainError(error, "", db);
    if (!(explained instanceof DbError)) throw error;
    const message = isObjectError(error) ? error.message : explained.message;
    if (name === "quick_check" || name === "integrity_check") return [message];
    return name === "foreign_keys" ? [{ error: message }] : { error: message };
  }
}

const linesOf = (db: Database.Database, sql: string): string[] => db.prepare<[], string>(sql).pluck().all();

/** Whether ANALYZE was run, and which tables it has not seen. */
function checkStatistics(db: Database.Database, cut: CutList): object {
  const tables = userTables(db).flatMap(({ name, type }) => (type === "table" ? [name] : []));
  const analyzed = db.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_stat1'").get() !== undefined;
  const known = analyzed ? linesOf(db, "SELECT DISTINCT tbl FROM sqlite_stat1") : [];
  return { analyzed, withoutStatistics: cut(tables.filter((name) => !known.includes(name))) };
}
