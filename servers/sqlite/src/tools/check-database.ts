// check_database: the health of a database.
import { tool } from "@oarlock/server-kit";
import { isObject } from "@oarlock/server-kit/protocol";
import { CHECKS } from "../db/protocol/requests.ts";
import type { Parts } from "../dependencies.ts";
import { elapsedFor } from "../replies/elapsed-progress.ts";
import { choice, database, object, result, timeout, z } from "../argument-schemas.ts";

/** Quick enough for every day; integrity_check reads all indexes too. */
const USUAL = CHECKS.filter((name) => name !== "integrity_check");

export const checkDatabase = ({ databases }: Parts) =>
  tool({
    name: "check_database",
    title: "Check a database",
    description: "Look for damage, broken foreign keys, redundant and missing indexes and missing statistics; tell sizes. Changes nothing.",
    input: () =>
      object({
        checks: z
          ._default(z.array(choice(CHECKS, "A check")), USUAL)
          .check(z.describe("Which checks; all but integrity_check unless given")),
        database,
        timeout_ms: timeout,
      }),
    output: () => result({ ok: z.boolean() }),
    hints: { readOnly: true, openWorld: false },
    async run({ checks, database: name, timeout_ms: timeoutMs }, ctx) {
      const wanted = checks.length === 0 ? USUAL : checks;
      const { done } = await databases
        .get(name)
        .read({ op: "check", checks: [...new Set(wanted)] }, ctx, { timeoutMs, elapsed: elapsedFor(ctx) });
      const found = done as Record<string, unknown>; // our own process told it
      const sound = [found.quick_check, found.integrity_check].every(
        (lines) => !Array.isArray(lines) || (lines.length === 1 && lines[0] === "ok"),
      );
      const stopped = Object.values(found).some((value) => isObject(value) && "error" in value);
      const ok = sound && !stopped && !(Array.isArray(found.foreign_keys) && found.foreign_keys.length > 0);
      const lines = Object.entries(found).map(([check, value]) => `${check}: ${JSON.stringify(value)}`);
      return { content: [ok ? "ok" : "not ok", ...lines].join("\n"), structured: { ok, ...found } };
    },
  });
