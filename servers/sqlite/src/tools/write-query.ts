// write_query: one statement that changes something.
import { tool } from "@oarlock/server-kit";
import { changed } from "../replies/confirmed-change.ts";
import { paramsOf, type Parts } from "../dependencies.ts";
import { database, flag, object, params, result, text, timeout, z } from "../argument-schemas.ts";

export const writeQuery = (parts: Parts) =>
  tool({
    name: "write_query",
    title: "Change data",
    description:
      "Run one statement that changes data or the schema (INSERT, UPDATE, DELETE, CREATE, ALTER, DROP …). Bind values with params. dry_run tells what would change and undoes it. RETURNING gives rows.",
    input: () =>
      object({ query: text("One SQL statement"), params, database, dry_run: flag("Only tell what would change"), timeout_ms: timeout }),
    output: () =>
      result({ changes: z.int(), rolledBack: z.boolean(), returning: z.optional(z.looseObject({ rows: z.array(z.array(z.unknown())) })) }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    run: ({ query, params: given, database: name, dry_run: dryRun, timeout_ms: timeoutMs }, ctx) =>
      changed(parts, ctx, { sql: query, params: paramsOf(given), database: name, dryRun, timeoutMs }),
  });
