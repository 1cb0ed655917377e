/** Prints the processor time of a run beside the stored table. It warns and never fails: a busy machine costs more time. */
import { costsByArea, costliestFirst, readCosts, type Costs } from "./costs.ts";
import type { FileRecord } from "./records.ts";

const FILES_SHOWN = 10;
/** What a fast file may cost; a more expensive one belongs to the deep tests. */
const MAX_FAST_SECONDS = 2;

export function printCosts(files: readonly FileRecord[]): void {
  const stored = readCosts();
  const areas = costsByArea(files);
  console.log("\nProcessor seconds of each area (stored):");
  for (const { area, project, files: count, tests, seconds } of areas)
    console.log(`  ${formatCost(seconds, stored, `${area} ${project}`)}  ${area}, ${project}: ${count} files, ${tests} tests`);
  const total = areas.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(`  ${total.toFixed(0).padStart(6)} in all`);
  console.log("\nThe most expensive files (stored):");
  for (const { file, cpuSeconds = 0 } of costliestFirst(files).slice(0, FILES_SHOWN))
    console.log(`  ${formatCost(cpuSeconds, stored, file)}  ${file}`);
  warnOfExpensive(files, stored);
}

function formatCost(seconds: number, stored: Costs, key: string): string {
  const before = stored.get(key);
  return `${seconds.toFixed(1).padStart(6)} (${before === undefined ? "new" : before.toFixed(1)})`.padEnd(16);
}

/** A stored cost of this size has been accepted before. */
function warnOfExpensive(files: readonly FileRecord[], stored: Costs): void {
  const expensive = files.filter(
    ({ project, file, cpuSeconds = 0 }) =>
      project === "fast" && cpuSeconds > MAX_FAST_SECONDS && (stored.get(file) ?? 0) <= MAX_FAST_SECONDS,
  );
  if (expensive.length === 0) return;
  console.log(
    `\nWarning: these fast files cost more than ${MAX_FAST_SECONDS} s of processor time. Make them cheaper, or name them *.deep.test.ts:`,
  );
  for (const { file, cpuSeconds = 0 } of expensive) console.log(`  ${cpuSeconds.toFixed(1).padStart(6)}  ${file}`);
}
