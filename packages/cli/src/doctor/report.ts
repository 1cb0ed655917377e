// Report of doctor: lines for people, or JSON for programs.
import { escapeControls } from "@oarlock/domain-kit";
import { redact } from "./redaction.ts";
import type { Check } from "./check.ts";

/** The report as JSON: `{ "ok", "checks": [{ "name", "ok", "message", "remedy"? }] }`. */
export function jsonReport(checks: readonly Check[]): string {
  const visible = checks.map(({ name, ok, message, remedy }) => ({
    name,
    ok,
    message: redact(message),
    ...(remedy !== undefined && { remedy: redact(remedy) }),
  }));
  return `${JSON.stringify({ ok: isFine(checks), checks: visible }, undefined, 2)}\n`;
}

/** The report for people: failed checks have their remedy on a line of its own. */
export function textReport(checks: readonly Check[]): string {
  const lines = checks.flatMap(({ name, ok, message, remedy }) => [
    `${ok ? "ok    " : "FAILED"} ${visible(`${name}: ${message}`)}`,
    ...(remedy === undefined ? [] : [`       Remedy: ${visible(remedy)}`]),
  ]);
  const count = checks.filter(({ ok }) => !ok).length;
  lines.push("", count === 0 ? "Nothing is wrong." : `${count} of ${checks.length} checks failed.`);
  return `${lines.join("\n")}\n`;
}

export const isFine = (checks: readonly Check[]): boolean => checks.every(({ ok }) => ok);

/** File names and output of other programs neither end a line nor control the terminal. */
const visible = (text: string): string => escapeControls(redact(text)).replaceAll(/\r?\n/g, " ");
