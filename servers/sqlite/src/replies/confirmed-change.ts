// Makes a change, after asking the user where it drops something or changes many rows.
import { clip, counted } from "@oarlock/domain-kit";
import { confirm, ToolError, type InteractiveContext } from "@oarlock/server-kit";
import type {
  ChangePermission,
  NeededConfirmation,
  StatementPart,
  TransactionRequest,
  WriteRequest,
} from "../db/protocol/change-messages.ts";
import type { ImportRequest } from "../db/protocol/file-messages.ts";
import type { Answer, CallOptions } from "../db/process/running-request.ts";
import type { ReplyTo } from "../db/protocol/operations.ts";
import type { Dependencies } from "../dependencies.ts";
import { reportSeconds } from "./progress.ts";
import { sideEffectQuestion } from "./side-effects.ts";

type ChangeRequest = WriteRequest | TransactionRequest | ImportRequest;

/** The request without what the user has allowed, which is found out here. */
export interface WantedChange<Request extends ChangeRequest> {
  readonly request: Omit<Request, keyof ChangePermission>;
  readonly database: string | undefined;
  readonly timeoutMs: number | undefined;
  /** What the question to the user calls the change. Default: its verb. */
  readonly subject?: string;
  /** Default: the seconds so far. */
  readonly onProgress?: CallOptions["onProgress"];
}

/** Tries the change, which is rolled back where it needs confirmation; then asks, and makes the change with the user's permission. */
export async function changeWithConfirmation<Request extends ChangeRequest>(
  { databases, confirmAbove, allowDestructive }: Dependencies,
  ctx: InteractiveContext,
  { request, database, timeoutMs, subject, onProgress }: WantedChange<Request>,
): Promise<Answer<Request>> {
  const db = databases.get(database);
  const change = (permission: ChangePermission): Promise<Answer<Request>> => {
    const permitted = { ...request, ...permission } as Request; // the two parts of a request
    const progress = onProgress === undefined ? { onElapsed: reportSeconds(ctx) } : { onProgress };
    return db.change(permitted, ctx, { timeoutMs, ...progress });
  };
  const first = await change({ maxChanges: allowDestructive ? null : confirmAbove, allowDrop: allowDestructive });
  const needed = first.reply.confirmation;
  if (needed === undefined) {
    logChange(ctx, db.name, first.reply, request.dryRun);
    return first;
  }
  const name = subject ?? ("verb" in first.reply ? first.reply.verb : "The change");
  const effect = `${name} would ${effectOf(needed, clip(db.name), subject === undefined)}`;
  const more = needed.drops === undefined ? ", or --confirm-above N to allow more rows" : "";
  const unsupported = `${effect}: the user must confirm that, and this client does not support elicitation. Nothing was done. The operator can start the server with --allow-destructive${more}.`;
  const sideEffects = sideEffectQuestion(needed);
  if (!(await confirm(ctx, `${effect}.${sideEffects} Go on?`, `${unsupported}${sideEffects}`)))
    throw new ToolError(`${effect}: the user declined. Nothing was done.`);
  const second = await change({ maxChanges: Math.max(needed.changes, confirmAbove), allowDrop: true });
  if (second.reply.confirmation === undefined) {
    logChange(ctx, db.name, second.reply, request.dryRun);
    return second;
  }
  const rows = counted(second.reply.confirmation.changes, "row");
  throw new ToolError(`The data has changed since the user confirmed: ${name} would change ${rows} now. Nothing was done. Call again.`);
}

/** The client's log shows what was changed, without the values. */
function logChange(ctx: InteractiveContext, database: string, reply: ReplyTo<ChangeRequest>, dryRun: boolean): void {
  if (dryRun) return;
  const count = "changes" in reply ? reply.changes : reply.rows;
  const act = "verb" in reply ? reply.verb : "rows" in reply ? "import" : "transaction";
  ctx.log.info(`Database ${clip(database)} changed by ${act}: ${counted(count, "row")}.`);
}

/** @param isSingle One statement. Where it changes no other rows than those of its table, it is named in place of all. */
function effectOf({ changes, drops, parts = [] }: NeededConfirmation, database: string, isSingle: boolean): string {
  const [only] = parts;
  const sums = sumsByTable(parts);
  const named = sums.slice(0, MAX_PARTS).map((part) => `${part.verb} ${rowsOf(part)}`);
  const more = sums.length > MAX_PARTS ? `, and ${sums.length - MAX_PARTS} more` : "";
  const rows =
    isSingle && only?.rows !== undefined && only.changes === changes
      ? `${only.verb === "DELETE" ? "delete" : "change"} ${rowsOf(only)} in ${database}`
      : `change ${counted(changes, "row")} of ${database}${named.length === 0 ? "" : ` (${named.join(", ")}${more})`}`;
  const effects = [...(drops === undefined ? [] : [`remove ${drops} from ${database}`]), ...(changes === 0 ? [] : [rows])];
  return effects.join(" and ");
}

/** Verbs with their tables that are named. */
const MAX_PARTS = 5;

/** One part for all statements of one verb and one table. */
function sumsByTable(parts: readonly StatementPart[]): StatementPart[] {
  const groups = Map.groupBy(parts, ({ verb, table }) => JSON.stringify([verb, table.toLowerCase()]));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? [];
    const { verb, table } = first;
    return [{ verb, table, changes: others.reduce((sum, { changes }) => sum + changes, first.changes) }];
  });
}

const rowsOf = ({ table, changes, rows }: StatementPart): string =>
  `${rows === undefined ? counted(changes, "row") : `${changes} of ${counted(rows, "row")}`} of ${clip(table, 80)}`;
