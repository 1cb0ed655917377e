// write_query: runs one statement that changes the database.
import { tool } from "@oarlock/server-kit";
import { database, flag, object, params, result, text, timeout, toParams, z } from "../argument-schemas.ts";
import type { WriteRequest } from "../db/protocol/change-messages.ts";
import type { Dependencies } from "../dependencies.ts";
import { changeReply } from "../replies/change-reply.ts";
import { changeWithConfirmation } from "../replies/confirmed-change.ts";
import { defaultRowLimits } from "../replies/row-limits.ts";
import { withNamedTools } from "../replies/withheld-tools.ts";

/** Rows of RETURNING. */
const MAX_RETURNED_ROWS = 1000;

export const writeQuery = (deps: Dependencies) =>
  tool({
    name: "write_query",
    title: "Change data",
    description:
      "Run one statement that changes data or the schema (INSERT, UPDATE, DELETE, CREATE, ALTER, DROP …). Bind values with params. dry_run shows rows before and after, and rolls back. RETURNING gives rows.",
    input: () =>
      object({ query: text("One SQL statement"), params, database, dry_run: flag("Only report what would change"), timeout_ms: timeout }),
    output: () =>
      result({ changes: z.int(), rolledBack: z.boolean(), returning: z.optional(z.looseObject({ rows: z.array(z.array(z.unknown())) })) }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ query, params: given, database: name, dry_run: dryRun, timeout_ms: timeoutMs }, ctx) {
      const limits = defaultRowLimits(deps.maxResultBytes, MAX_RETURNED_ROWS);
      const answer = await changeWithConfirmation<WriteRequest>(deps, ctx, {
        request: { op: "write", sql: query, params: toParams(given), dryRun, limits },
        database: name,
        timeoutMs,
      });
      return changeReply({ ...answer, reply: withNamedTools(answer.reply, deps) });
    },
  });
