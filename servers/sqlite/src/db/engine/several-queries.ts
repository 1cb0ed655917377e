// Several statements that only read, in one call: one state of the data, one budget, a result each.
import { counted } from "@oarlock/domain-kit";
import type { ReadRequest } from "../protocol/query-messages.ts";
import type { RowLimits, RowsReply, StatementResult } from "../protocol/rows.ts";
import { CollectedRows } from "../rows/collected-rows.ts";
import type { RowOutput } from "../rows/row-encoder.ts";
import { positionsIn, type Params } from "../sql/parameters.ts";
import { splitStatements } from "../sql/statement.ts";
import { tokensOf } from "../sql/tokens.ts";
import { DbError, refusal, type DbErrorCode } from "../errors.ts";
import type { Engine } from "./engine.ts";
import { explainError } from "./errors/error-messages.ts";
import { readPage, runQuery } from "./query.ts";

const MAX_STATEMENTS = 20;

/** Errors of a statement that leave the others as they are. */
const OWN_ERRORS: ReadonlySet<string> = new Set<DbErrorCode>(["sql", "refused"]);

export function runQueries(engine: Engine, request: ReadRequest, output: RowOutput): RowsReply {
  const statements = request.allowsSeveral === true ? splitStatements(request.sql) : [request.sql];
  if (statements.length <= 1) return runQuery(engine, request, output);
  const { params, limits, skip, after } = request;
  if (skip > 0 || after !== undefined) throw refusal("A cursor belongs to one statement: run that statement alone.");
  if (statements.length > MAX_STATEMENTS)
    throw refusal(`Too many statements: ${statements.length}, the limit is ${MAX_STATEMENTS}. Call several times.`);
  const given = paramsOf(statements, params);
  const share = shareOf(limits, statements.length);
  return engine.readTransaction(() => ({
    ...NO_ROWS,
    statements: statements.map((sql, index) => resultOf(engine, { ...request, sql, params: given[index], limits: share }, index)),
  }));
}

const NO_ROWS = { columns: "[]", rowCount: 0, hasMore: false, clipped: [], dataVersion: "", elapsedMs: 0 };

function resultOf(engine: Engine, request: ReadRequest, index: number): StatementResult {
  const rows = new CollectedRows();
  try {
    const { columns: columnsJson, texts, missingCollation, hasNullInList, slips, ...end } = readPage(engine, request, rows);
    return { ...rows.reply({ columnsJson, texts, missingCollation, slips }, end), hasNullInList };
  } catch (error) {
    const explained = explainError(error, request.sql, engine.db);
    if (!(explained instanceof DbError)) throw explained;
    if (OWN_ERRORS.has(explained.code)) return { error: explained.message };
    throw new DbError(explained.code, `No results, because of statement ${index + 1}: ${explained.message}`);
  }
}

/** Each statement has an equal part of the budget. */
function shareOf(limits: RowLimits, parts: number): RowLimits {
  const { maxBytes, maxTextBlockBytes, maxTextLength } = limits;
  return {
    ...limits,
    maxBytes: Math.floor(maxBytes / parts),
    ...(maxTextBlockBytes !== undefined && { maxTextBlockBytes: Math.floor(maxTextBlockBytes / parts) }),
    maxTextLength: Math.max(100, Math.floor(maxTextLength / parts)),
    omitOversizedRow: true,
  };
}

/** A list holds the values of all statements in order; of an object each statement gets the names that it has. */
function paramsOf(statements: readonly string[], params: Params | undefined): (Params | undefined)[] {
  if (params === undefined) return statements.map(() => undefined);
  const variables = statements.map(variablesIn);
  if (!Array.isArray(params)) {
    const names = new Set(variables.flat().map((name) => name.slice(1)));
    const unknown = Object.keys(params).find((name) => !names.has(name.replace(/^[:@$]/, "")));
    if (unknown !== undefined) throw refusal(`Invalid params: no statement has the parameter ${unknown}.`);
    return variables.map((own) => {
      const wanted = new Set(own.map((name) => name.slice(1)));
      const entries = Object.entries(params).filter(([name]) => wanted.has(name.replace(/^[:@$]/, "")));
      return entries.length === 0 ? undefined : Object.fromEntries(entries);
    });
  }
  const counts = variables.map(positionsIn);
  const count = counts.reduce((sum, one) => sum + one, 0);
  if (params.length !== count)
    throw refusal(
      `Invalid params: the statements have ${counted(count, "parameter")} together, but params holds ${counted(params.length, "value")}.`,
    );
  let at = 0;
  return counts.map((own) => params.slice(at, (at += own)) as unknown[]);
}

const variablesIn = (sql: string): string[] => tokensOf(sql).flatMap(({ kind, value }) => (kind === "variable" ? [value] : []));
