/** Prints what the output of vitest does not sum up: files that failed or did not run, and why tests were skipped. */
import type { TestRun } from "./test-run.ts";

export function printOutcome({ files, notRun, projects }: TestRun): void {
  const broken = files.filter(({ failed }) => failed > 0);
  printList(
    `Failed files of ${projects.join(" and ")}`,
    broken.map(({ file, failed }) => `${file}: ${failed}`),
  );
  printList("Files that did not run to their end", notRun);
  const reasons = files.flatMap(({ skipped }) => skipped);
  const groups = [...Map.groupBy(reasons, (reason) => reason || "no reason given")];
  printList(
    "Skipped tests",
    groups.map(([reason, { length }]) => `${length}: ${reason}`),
  );
}

function printList(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log([`\n${title}:`, ...lines].join("\n  "));
}
