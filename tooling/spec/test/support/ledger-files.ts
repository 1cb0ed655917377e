/** Ledger files: the lists of requirements, and the ids in the tests of every package. */
import { readFileSync } from "node:fs";
import { readSources } from "../../../checks/src/sources.ts";
import type { Ledger } from "./coverage.ts";
import { parseNotes, parseRows } from "./requirements.ts";
import { mentionsIn, prefixOf } from "./test-ids.ts";

/** Oldest first. */
export const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;

/** The tests of the ledger itself speak of ids without showing anything. */
const OWN = "tooling/spec/test/ledger.test.ts";

const list = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

export function readLedger(): Ledger {
  const rows = parseRows(list("requirements.tsv"), REVISIONS);
  const { [OWN]: _own, ...tests } = readSources("{packages,servers,tooling}/*/test/**/*.test.ts", "{packages,servers}/*/test/**/*.mcp");
  return {
    rows,
    reasons: parseNotes(list("reasons.tsv")),
    mentions: mentionsIn(tests, new Set(rows.map(({ id }) => prefixOf(id)))),
  };
}
