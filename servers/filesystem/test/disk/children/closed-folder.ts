/** Searches or watches while the folder `closed` may not be read, and tells what came of it. Not for administrators. */
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Area } from "../../../src/disk/door.ts";
import { openDisk } from "../../../src/disk/index.ts";
import { searchFiles } from "../../../src/disk/search.ts";
import { createWatcher } from "../../../src/disk/watch.ts";
import { until } from "../until.ts";

const [root = "", what = ""] = process.argv.slice(2);
const closed = join(root, "closed");

async function watch(area: Area): Promise<unknown> {
  const watcher = createWatcher({ lookMs: 50 });
  let heard = 0;
  watcher.watch(area, closed, () => (heard += 1));
  // Several looks, in which there is nothing to see.
  await new Promise((resolve) => setTimeout(resolve, 400));
  const whileClosed = heard;
  chmodSync(closed, 0o755);
  writeFileSync(join(closed, "g"), "");
  await until("the folder can be read", () => heard > whileClosed);
  await watcher.close();
  return { whileClosed, onceOpen: true };
}

chmodSync(closed, 0);
try {
  mustBeClosed();
  const area = (await openDisk({ directories: [{ path: root, readOnly: false }] })).area();
  const told = what === "watch" ? await watch(area) : await searchFiles(area, root, { pattern: "**/f" });
  process.stdout.write(JSON.stringify(told));
} finally {
  chmodSync(closed, 0o755);
}

function mustBeClosed(): void {
  try {
    readdirSync(closed);
  } catch {
    return;
  }
  throw new Error("the folder can be read all the same");
}
