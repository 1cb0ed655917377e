// check_database: the health of a database.
import { counted, escapeControlsInJson } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { isObject } from "@oarlock/server-kit/protocol";
import { accepting, choice, database, object, result, textAsList, timeout, z } from "../argument-schemas.ts";
import { CHECKS, type CheckReply } from "../db/protocol/schema-messages.ts";
import type { Dependencies } from "../dependencies.ts";
import { reportSeconds } from "../replies/progress.ts";

const NOT_RUN = "Not run: integrity_check (indexes in full) and data (values that are not what they look like); name them in checks.";
/** Without those that read more than the tables need: integrity_check reads all indexes, data each value several times. */
const DEFAULT_CHECKS = CHECKS.filter((name) => name !== "integrity_check" && name !== "data");

export const checkDatabase = ({ databases }: Dependencies) =>
  tool({
    name: "check_database",
    title: "Check a database",
    description:
      "Find damage, broken foreign keys, objects that do not work here, redundant and missing indexes and missing statistics, and report sizes. Changes nothing.",
    input: () =>
      accepting(
        object({
          checks: z
            ._default(z.array(choice(CHECKS, "A check")), DEFAULT_CHECKS)
            .check(
              z.describe(
                "The checks to run; default: all but integrity_check and data (links to no row, numbers and dates as text, mixed types, repeated values)",
              ),
            ),
          database,
          timeout_ms: timeout,
        }),
        { checks: textAsList },
      ),
    output: () => result({ ok: z.boolean() }),
    hints: { readOnly: true, openWorld: false },
    async run({ checks: given, database: name, timeout_ms: timeoutMs }, ctx) {
      const checks = [...new Set(given.length === 0 ? DEFAULT_CHECKS : given)];
      const { reply } = await databases.get(name).read({ op: "check", checks }, ctx, { timeoutMs, onElapsed: reportSeconds(ctx) });
      const failed = failedChecks(reply);
      const ok = failed.length === 0;
      const notRun = given.length === 0 || checks.join() === DEFAULT_CHECKS.join() ? [NOT_RUN] : [];
      const lines = Object.entries(reply).map(([check, findings]) => `${check}: ${escapeControlsInJson(JSON.stringify(findings))}`);
      return {
        content: [(ok ? "ok" : `not ok: ${failed.join(", ")}`) + findingsIn(reply), ...notRun, ...lines].join("\n"),
        structured: { ok, ...reply },
      };
    },
  });

/** The first line names findings in data: they are not damage, and not an all clear. */
function findingsIn({ data }: CheckReply): string {
  const findings = isObject(data) && Array.isArray(data["findings"]) ? data["findings"].length : 0;
  return findings === 0 ? "" : `; the data has ${counted(findings, "finding")}, see below`;
}

/** Redundant indexes, missing statistics and findings in data are advice; damage, broken keys, objects that do not work and failed checks are not healthy. */
function failedChecks(reply: CheckReply): string[] {
  const hasFailed = ([check, findings]: readonly [string, unknown]): boolean => {
    if (isObject(findings) && "error" in findings) return true;
    if (check.endsWith("_check")) return !Array.isArray(findings) || findings.length !== 1 || findings[0] !== "ok";
    if (check === "foreign_keys") return Array.isArray(findings) && findings.length > 0;
    return check === "schema" && isObject(findings) && ["missing", "broken", "notChecked"].some((list) => isFilled(findings[list]));
  };
  return Object.entries(reply).flatMap((entry) => (hasFailed(entry) ? [entry[0]] : []));
}

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0;
