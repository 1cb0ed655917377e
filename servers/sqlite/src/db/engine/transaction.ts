// Several statements that all happen or none of them.
import { DbError, refused } from "../errors.ts";
import { boundTo } from "../sql/parameters.ts";
import { isReading, statementOf } from "../sql/statement.ts";
import type { RowsTold, TransactionAsked, TransactionTold } from "../protocol/requests.ts";
import { asIfKept } from "./deferred-keys.ts";
import type { Engine } from "./engine.ts";
import { explained } from "./error-messages.ts";
import { exactly, type Sink } from "./query.ts";
import { RowsText, type Value } from "./row-encoder.ts";
import { droppedBy } from "../policy/write-targets.ts";
import { counts, inTransaction, run } from "./change.ts";
import type { Vetted } from "../policy/statement-policy.ts";

/** What one statement did. Rows are told as JSON values here, as every statement may have some. */
export type Step = TransactionTold["results"][number];

/** An update in the place of an insert leaves the row id of before, which must not be that of another call. */
const LOOKS_BACK = /\b(?:last_insert_rowid|changes|total_changes|do\s+update)\b/i;

export function transaction(engine: Engine, asked: TransactionAsked): TransactionTold {
  const { statements, dryRun, most, drop } = asked;
  // Only what belongs to this call is seen.
  if (statements.some(({ query }) => LOOKS_BACK.test(query))) engine.renew();
  return inTransaction(engine, (keep) => {
    const results: Step[] = [];
    const dropped: string[] = [];
    let total = 0;
    const all = (): void => {
      for (const [index, { query, params }] of statements.entries()) {
        const { verb, takes, step, spread } = numbered(index, engine, query, () => one(engine, query, params, asked));
        if (takes !== undefined) dropped.push(takes);
        if (verb === "DELETE" || verb === "UPDATE") total += spread;
        results.push(counts(verb) && spread > step.changes ? { ...step, alsoChanged: spread - step.changes } : step);
      }
    };
    if (dryRun) asIfKept(engine.db, all);
    else all();
    const changes = results.reduce((sum, step) => sum + step.changes, 0);
    const tooMany = most !== null && total > most;
    const ask = !dryRun && (tooMany || (!drop && dropped.length > 0));
    if (!ask && !dryRun) keep();
    const why = { changes: tooMany ? total : 0, ...(!drop && dropped.length > 0 && { drop: dropped.join(", ") }) };
    return { results, changes, rolledBack: ask || dryRun, ...(ask && { ask: why }) };
  });
}

interface Done {
  verb: string;
  takes: string | undefined;
  step: Step;
  /** Its changes, with what foreign keys and triggers changed besides. */
  spread: number;
}

function one(engine: Engine, query: string, params: TransactionAsked["statements"][number]["params"], { room }: TransactionAsked): Done {
  const reads = isReading(statementOf(query));
  const vetted = engine.vetted(query, reads ? "read" : "write");
  const { statement } = vetted;
  const values = boundTo(statement, params);
  const rows = new Collected();
  if (reads)
    return {
      verb: statement.verb,
      takes: undefined,
      step: { verb: statement.verb, changes: 0, rows: rows.of(vetted, fetch(vetted, values, room, rows)) },
      spread: 0,
    };
  const { returning, total: spread, ...told } = run(engine, vetted, values, { room }, rows);
  const step = { verb: statement.verb, ...told, ...(returning !== undefined && { rows: rows.of(vetted, returning) }) };
  return { verb: statement.verb, takes: droppedBy(statement), step, spread };
}

/** Runs what reads, as far as there is room. */
function fetch(vetted: Vetted, values: unknown[], room: TransactionAsked["room"], sink: Sink): Cut {
  return exactly(vetted, sink, () => {
    const rows = new RowsText(vetted.columns, { ...room, noneIfTooLarge: true }, sink, vetted.exact === true);
    for (const row of vetted.prepared.iterate(...values)) if (!rows.add(row as Value[])) break; // raw
    rows.end();
    return { more: rows.full, clipped: rows.clipped };
  });
}

type Cut = Pick<RowsTold, "more" | "clipped">;

class Collected implements Sink {
  #text = "";

  arrays(text: string): void {
    this.#text += text;
  }

  objects(): void {
    // The arrays say it all.
  }

  again(): void {
    this.#text = "";
  }

  of({ columns }: Vetted, { more, clipped }: Cut): NonNullable<Step["rows"]> {
    const rows = JSON.parse(`[${this.#text}]`) as unknown[][]; // made of rows by ourselves
    return { columns, rows, truncated: more, ...(clipped.length > 0 && { clipped }) };
  }
}

/** An error says which statement it is about, and that none of them counts. */
function numbered<T>(index: number, engine: Engine, query: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const said = explained(error, query, engine.db);
    if (!(said instanceof DbError)) throw said;
    if (said.code === "refused") throw refused(`Statement ${index + 1}: ${said.message}. Nothing was done`);
    throw new DbError(said.code, `Statement ${index + 1}: ${said.message}. All statements were undone`);
  }
}
