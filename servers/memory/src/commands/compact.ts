// compact: puts the indexes in order and the store into as few pages as it needs. History stays.
import { existsSync, statSync } from "node:fs";
import { inWords } from "../graph/errors.ts";
import { checkPlace } from "../graph/location.ts";
import { Memory } from "../graph/memory.ts";
import type { Run } from "./run.ts";

/** With its log. */
const kilobytes = (path: string): string =>
  `${Math.ceil([path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0) / 1024)} KB`;

export async function compact({ location, say }: Run): Promise<number> {
  if (!existsSync(location.database)) {
    say(`There is no store at ${location.database} yet.`);
    return 0;
  }
  checkPlace(location);
  const memory = new Memory({ location, warn: say });
  try {
    const { store } = await memory.open();
    const before = kilobytes(location.database);
    const steps: readonly (readonly [string, () => unknown])[] = [
      ["the index of texts", () => store.run("INSERT INTO trigram (trigram) VALUES ('optimize')")],
      ["the index of short words", () => store.run("INSERT INTO gram (gram) VALUES ('optimize')")],
      ["the pages", () => store.db.exec("VACUUM")],
      ["the log", () => store.db.pragma("wal_checkpoint(TRUNCATE)")],
    ];
    store.db.pragma("busy_timeout = 10000");
    for (const [at, [what, act]] of steps.entries()) {
      say(`${at + 1} of ${steps.length}: ${what}`);
      act();
    }
    say(`Compacted: ${before} before, ${kilobytes(location.database)} now.`);
    return 0;
  } catch (error) {
    throw inWords(error);
  } finally {
    await memory.close();
  }
}
