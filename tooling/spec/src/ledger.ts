/**
 * Prints how many requirements of each revision a test proves, the rows without test, and what is wrong with the ledger.
 * `--open` and `--reasoned` list those rows too; `--close` first takes out of open.tsv what has a test by now. Exit code 1
 * when something is wrong.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { faultsOf } from "./coverage.ts";
import { withoutProved } from "./open-rows.ts";
import { listOf, tableOf } from "./print.ts";
import { readLedger, REVISIONS } from "./ledger-files.ts";

const asked = new Set(process.argv.slice(2));

if (asked.has("--close")) {
  const file = new URL("../open.tsv", import.meta.url);
  writeFileSync(file, withoutProved(readFileSync(file, "utf8"), new Set(readLedger().mentions.map(({ id }) => id))));
}

const ledger = readLedger();
console.log(tableOf(ledger, REVISIONS));
for (const state of ["missing", "open", "reasoned"] as const) {
  const rows = listOf(ledger, state);
  if (rows !== "" && (state === "missing" || asked.has(`--${state}`))) console.log(`\nRows that are ${state}:\n${rows}`);
}
const faults = faultsOf(ledger);
const more = faults.filter((fault) => !fault.includes(" has neither test nor reason: "));
if (more.length > 0) console.log(`\nFaults:\n  ${more.join("\n  ")}`);
process.exitCode = faults.length > 0 ? 1 : 0;
