// import FILE: takes in what a file says. What is there already stays, and its observations are joined.
import { statSync } from "node:fs";
import { checkPlace } from "../graph/location.ts";
import { Memory } from "../graph/memory.ts";
import { apply } from "../graph/jsonl/merge.ts";
import { compare, countOf, type Differences } from "../graph/jsonl/differences.ts";
import { JsonlFile } from "../graph/jsonl/jsonl-file.ts";
import { Past } from "../graph/history/snapshot.ts";
import { lastSeq } from "../graph/jsonl/mirror-state.ts";
import { totals } from "../graph/read/graph-page.ts";
import { inSlices } from "../graph/store/time-slices.ts";
import type { Run } from "./run.ts";

const TOLD = 20;

export async function importFrom(path: string, { location, say }: Run): Promise<number> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) {
    // It is read more than once, as a pipe cannot be.
    const isNone = stat === undefined || stat.isDirectory();
    say(`Error: ${isNone ? `there is no file ${path}` : `${path} is no regular file: save what it gives as one, and name that`}`);
    return 2;
  }
  checkPlace(location);
  const memory = new Memory({ location, warn: say });
  try {
    const { store } = await memory.open();
    const before = totals(store);
    const told = progressOf(say);
    const file = new JsonlFile(path);
    let differences: Differences;
    try {
      differences = await inSlices(compare(new Past(store, 0), file), undefined, (line) => told(`${line} lines read`));
    } finally {
      file.close();
    }
    const { damages } = differences;
    for (const { number, why } of damages.slice(0, TOLD)) say(`line ${number} was left out: ${why}`);
    if (damages.length > TOLD) say(`and ${damages.length - TOLD} more lines`);
    if (damages.length > 0 && countOf(differences) === 0) {
      say(`Error: ${path} holds nothing that could be taken in: name a file of entities and relations, such as export writes`);
      return 1;
    }
    const { newRecords } = differences;
    if (newRecords.length > 0) say(`${newRecords.length} records are neither entities nor relations: they are kept as they stand`);
    await store.writeInSlices("import", function* (change) {
      const known = new Set(new Past(store, lastSeq(store)).records().map(({ line }) => line));
      yield* apply(store, change, { ...differences, newRecords: newRecords.filter((line) => !known.has(line)) });
    });
    const after = totals(store);
    say(
      `Imported ${after.entities - before.entities} entities and ${after.relations - before.relations} relations; ${after.entities} and ${after.relations} now.`,
    );
    return 0;
  } finally {
    await memory.close();
  }
}

/** A line now and then. */
export function progressOf(say: (line: string) => void): (line: string) => void {
  let since = performance.now();
  return (line) => {
    if (performance.now() - since < 1000) return;
    since = performance.now();
    say(line);
  };
}
