// Report of doctor: lines for people, or JSON for programs.
import { escapeControls, escapeControlsInJson } from "@oarlock/domain-kit";
import { redact } from "../redaction.ts";
import { quoted } from "../start/start-error.ts";
import type { Check } from "./check.ts";
import { NO_ENTRY } from "./hosts/host-checks.ts";
import type { SiblingEntry } from "./hosts/sibling-entries.ts";

export interface Report {
  /** The name of the server that was checked. */
  readonly server: string;
  readonly checks: readonly Check[];
  /** Entries of other servers in the files of hosts. */
  readonly notChecked: readonly SiblingEntry[];
}

/** The report as JSON: `{ "ok", "checks": [{ "name", "ok", "message", "remedy"?, "caveat"? }], "server", "summary", "notChecked": […] }`. */
export function jsonReport(report: Report): string {
  const { server, checks, notChecked } = report;
  const visible = checks.map(({ name, ok, message, remedy, caveat }) => ({
    name,
    ok,
    message: redact(message),
    ...(remedy !== undefined && { remedy: redact(remedy) }),
    ...(caveat !== undefined && { caveat }),
  }));
  const json = JSON.stringify({ ok: isFine(checks), checks: visible, server, summary: summaryOf(report), notChecked }, undefined, 2);
  return `${escapeControlsInJson(json)}\n`;
}

/** The report for people: failed checks have their remedy on a line of its own. */
export function textReport(report: Report): string {
  const lines = report.checks.flatMap(({ name, ok, message, remedy, caveat }) => [
    `${ok ? (caveat ?? "ok    ") : "FAILED"} ${visible(`${name}: ${message}`)}`,
    ...(remedy === undefined ? [] : [`       Remedy: ${visible(remedy)}`]),
  ]);
  for (const { host, path, entry, server, command, shell } of report.notChecked)
    lines.push(
      `not checked ${visible(`host ${host}: Entry ${quoted(entry)} in ${path} is of ${server}.`)}`,
      `       Check it with${shell === undefined ? "" : ` (in ${shell})`}: ${visible(command)}`,
    );
  return `${[...lines, "", summaryOf(report)].join("\n")}\n`;
}

/** The last line: what was checked, and what was not. */
function summaryOf({ server, checks, notChecked }: Report): string {
  const count = checks.filter(({ ok }) => !ok).length;
  const verdict = count === 0 ? verdictOfPassed(server, checks) : `${count} of ${checks.length} checks of ${server} failed.`;
  if (notChecked.length === 0) return verdict;
  const isOne = notChecked.length === 1;
  return `${verdict} ${isOne ? "1 entry" : `${notChecked.length} entries`} of other Oarlock servers ${isOne ? "was" : "were"} not checked.`;
}

/** Says that nothing is wrong only where everything was checked. */
function verdictOfPassed(server: string, checks: readonly Check[]): string {
  const left = checks.filter(({ caveat }) => caveat === "not checked" || caveat === "not started").length;
  const warnings = checks.filter(({ caveat }) => caveat === "warning").length;
  if (left + warnings === 0) {
    const entries = checks.some(({ name }) => name === NO_ENTRY)
      ? ". No file of a host names it."
      : " and its own entries in the files of hosts.";
    return `Nothing is wrong with ${server}${entries}`;
  }
  const parts = [
    ...(warnings === 0 ? [] : [warnings === 1 ? "1 warning" : `${warnings} warnings`]),
    ...(left === 0 ? [] : [`${left === 1 ? "1 check" : `${left} checks`} not made in full`]),
  ];
  return `No check of ${server} failed: ${parts.join(", ")}.`;
}

export const isFine = (checks: readonly Check[]): boolean => checks.every(({ ok }) => ok);

/** File names and output of other programs neither end a line nor control the terminal. */
const visible = (text: string): string => escapeControls(redact(text).replaceAll(/\r?\n/g, " "));
