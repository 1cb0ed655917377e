// What changes something: done, or asked about first when it drops something or changes many rows.
import { EncodedJson, text, ToolError, type InteractiveContext, type ContentAndStructured } from "@oarlock/server-kit";
import { counted } from "../db/counted.ts";
import type { Answer } from "../db/process/database-process.ts";
import type { TransactionAsked, TransactionTold, WriteAsked, WriteTold } from "../db/protocol/requests.ts";
import type { Params } from "../db/sql/parameters.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { elapsedFor } from "./elapsed-progress.ts";
import { isYes } from "../questions.ts";
import { cutText, rowsJson, rowsText } from "./row-blocks.ts";

/** Rows that RETURNING may give back. */
const MOST_RETURNED = 1000;

export interface Change {
  readonly sql: string;
  readonly params: Params | undefined;
  readonly database: string | undefined;
  readonly dryRun: boolean;
  readonly timeoutMs: number | undefined;
}

export async function changed(
  parts: Parts,
  ctx: InteractiveContext,
  change: Change,
): Promise<ContentAndStructured<{ changes: number; rolledBack: boolean }>> {
  const { sql, params, database, dryRun, timeoutMs } = change;
  const asked = { op: "write", sql, params, dryRun, room: roomFor(parts.maxResultBytes, MOST_RETURNED) } as const;
  const { told, answer } = await agreed(parts, ctx, { asked, database, timeoutMs });
  const { verb, changes, alsoChanged, lastInsertRowid, rolledBack, returning } = told as WriteTold; // as was asked for
  const facts = { changes, ...(alsoChanged !== undefined && { alsoChanged }), lastInsertRowid, rolledBack };
  const besides = besidesOf(alsoChanged);
  const note = rolledBack
    ? [text(`Dry run: ${verb} would change ${counted(changes, "row")}${besides}; everything is as it was.`)]
    : besides === ""
      ? []
      : [text(`${verb} changed ${counted(changes, "row")}${besides}.`)];
  if (returning === undefined) return { content: [text(JSON.stringify([{ affected_rows: changes }])), ...note], structured: facts };
  const { columns, rowCount, more, clipped } = returning;
  note.push(...cutText(answer, clipped));
  if (more) note.push(text(`[truncated: ${rowCount} of ${changes} returned rows; the statement changed all of them]`));
  const rest = { rowCount, truncated: more, ...(clipped.length > 0 && { clipped }) };
  return {
    content: [rowsText(answer, columns), ...note],
    structured: new EncodedJson(
      `${JSON.stringify({ ...facts, truncated: more }).slice(0, -1)},"returning":${rowsJson(answer, columns, rest)}}`,
    ),
  };
}

/** A request as far as it does not depend on what was agreed to. */
interface Wanted {
  readonly asked: Omit<WriteAsked, "most" | "drop"> | Omit<TransactionAsked, "most" | "drop">;
  readonly database: string | undefined;
  readonly timeoutMs: number | undefined;
  /** What it is called in the question; else by its verb. */
  readonly what?: string;
}

interface Agreed {
  /** What was asked for decides which it is. */
  readonly told: WriteTold | TransactionTold;
  readonly answer: Answer;
}

/** Looks, asks, then acts: what needs a yes is undone until there is one. */
export async function agreed(
  { databases, confirmAbove, allowDestructive }: Parts,
  ctx: InteractiveContext,
  { asked, database, timeoutMs, what }: Wanted,
): Promise<Agreed> {
  const db = databases.get(database);
  const act = async (most: number | null, drop: boolean): Promise<Agreed> => {
    const answer = await db.change({ ...asked, most, drop }, ctx, { timeoutMs, elapsed: elapsedFor(ctx) });
    return { told: answer.done as Agreed["told"], answer }; // our own process told it
  };
  const first = await act(allowDestructive ? null : confirmAbove, allowDestructive);
  const { ask } = first.told;
  if (ask === undefined) return first;
  const who = what ?? ("verb" in first.told ? first.told.verb : "It");
  const acts = [
    ...(ask.drop === undefined ? [] : [`remove ${ask.drop} from ${db.name}`]),
    ...(ask.changes === 0 ? [] : [`change ${counted(ask.changes, "row")} of ${db.name}`]),
  ];
  const told = `${who} would ${acts.join(" and ")}`;
  if (!ctx.client.can("elicit"))
    throw new ToolError(
      `${told}; nothing was done. The user cannot be asked here: --allow-destructive allows it without a question${ask.drop === undefined ? ", --confirm-above N allows more rows" : ""}`,
    );
  if (!(await isYes(ctx, `${told}. Go on?`))) throw new ToolError(`${told}; the user did not agree, so nothing was done`);
  const second = await act(Math.max(ask.changes, confirmAbove), true);
  if (second.told.ask === undefined) return second;
  throw new ToolError(
    `The data changed meanwhile: ${who} would change ${counted(second.told.ask.changes, "row")} now; nothing was done, call again`,
  );
}

/** What else changed, to go behind what the statement itself did. */
export const besidesOf = (count = 0): string => (count === 0 ? "" : `, and triggers and foreign keys ${counted(count, "row")} besides`);
