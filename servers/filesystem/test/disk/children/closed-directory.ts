/** Searches, watches, or takes it as a whole while the folder `closed` may not be read, and tells what came of it. Not for administrators. */
import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { deletePath, planDeletion } from "../../../src/disk/transfer/delete.ts";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
import { DiskError } from "../../../src/disk/errors.ts";
import { openDisk } from "../../../src/disk/disk.ts";
import { listFolderWithSizes } from "../../../src/disk/tree/listing.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { searchFiles } from "../../../src/disk/search/names/name-search.ts";
import { createWatcher } from "../../../src/disk/watch/watcher.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { makeFolderElsewhere } from "../../support/other-device.ts";
import { until } from "../support/until.ts";

const [root = "", what = ""] = process.argv.slice(2);
const closed = join(root, "closed");

async function watch(sandbox: Sandbox): Promise<unknown> {
  const watcher = createWatcher({ lookMs: 50 });
  let heard = 0;
  watcher.watch(sandbox, closed, () => (heard += 1));
  // Several looks, in which there is nothing to see.
  await new Promise((resolve) => setTimeout(resolve, 400));
  const whileClosed = heard;
  chmodSync(closed, 0o755);
  writeFileSync(join(closed, "g"), "");
  await until("the folder can be read", () => heard > whileClosed);
  await watcher.close();
  return { whileClosed, onceOpen: true };
}

const replyText = (act: Promise<unknown>) =>
  act.catch((error: unknown) => (error instanceof DiskError ? `${error.code}: ${error.message}` : String(error)));

/** Prints the outcome of each act on a folder that is closed, or that can only be listed. */
async function whole(): Promise<unknown> {
  const sandbox = (await openDisk({ directories: [{ path: root, readOnly: false }], deny: ["hidden"] })).sandbox();
  const received: unknown[] = [];
  for (const mode of [0, 0o444]) {
    chmodSync(closed, mode);
    received.push({
      copied: await replyText(copy(sandbox, "closed", "copy", { recursive: true })),
      doomed: await replyText(planDeletion(sandbox, "closed", { recursive: true, maxBytes: 1000 })),
      moved: mode === 0 ? await replyText(move(sandbox, "closed", "moved")) : "",
      listed: await replyText(listFolderWithSizes(sandbox, "closed").then(({ entries }) => entries)),
    });
  }
  return received;
}

/** What is said of moving and deleting what may be read and not removed, and what is where afterwards. */
async function remove(): Promise<unknown> {
  const [tree, sticky, other] = [join(root, "tree"), join(root, "sticky"), makeFolderElsewhere()];
  try {
    for (const folder of [closed, join(tree, "shut")]) chmodSync(folder, 0o555);
    const sandbox = (await openDisk({ directories: [root, other].map((path) => ({ path, readOnly: false })) })).sandbox();
    return {
      moved: await replyText(move(sandbox, "closed/f", "free/f")),
      across: await replyText(move(sandbox, "closed/f", join(other, "f"))),
      acrossWhole: await replyText(move(sandbox, "tree", join(other, "tree"))),
      deleted: await replyText(deletePath(sandbox, "tree", { recursive: true })),
      foreign: await replyText(move(sandbox, "sticky/f", "sticky/g")),
      left: [closed, join(root, "free"), join(tree, "shut"), sticky, other].map((folder) => readdirSync(folder)),
    };
  } finally {
    chmodSync(join(tree, "shut"), 0o755);
    rmSync(other, { recursive: true, force: true });
  }
}

/** The modes that files of another group have after this user has overwritten them. */
async function overwrite(sandbox: Sandbox): Promise<unknown> {
  const modes: Record<string, number> = {};
  for (const name of ["shared", "private"]) {
    await writeText(sandbox, name, "new");
    modes[name] = statSync(join(root, name)).mode & 0o777;
  }
  return modes;
}

const acts: Readonly<Record<string, (sandbox: Sandbox) => Promise<unknown>>> = {
  watch,
  whole,
  remove,
  overwrite,
  search: (sandbox) => searchFiles(sandbox, root, { pattern: "**/f" }),
};

chmodSync(closed, 0);
try {
  mustBeClosed();
  const sandbox = (await openDisk({ directories: [{ path: root, readOnly: false }] })).sandbox();
  const received = await acts[what]?.(sandbox);
  process.stdout.write(JSON.stringify(received));
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
