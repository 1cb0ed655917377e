// Watching does not keep a process alive.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { scratch } from "../support/scratch.ts";
import { SOURCES } from "../support/sources.ts";

test("keeps no process alive", () => {
  const place = scratch({ f: "1", "d/x": "" });
  const source = (name: string) => JSON.stringify(fileURLToPath(new URL(`../../../src/disk/${name}`, import.meta.url)));
  const script = `
    import { openDisk } from ${source("disk.ts")};
    import { createWatcher } from ${source("watch/watcher.ts")};
    const root = ${JSON.stringify(place.root)};
    const sandbox = (await openDisk({ directories: [{ path: root, readOnly: false }] })).sandbox();
    const watcher = createWatcher();
    for (const name of ["f", "d", "none"]) watcher.watch(sandbox, root + "/" + name, () => {});
    while (watcher.watched < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    console.log("watching", watcher.watched);
  `;
  // A watcher that keeps the process alive runs into the timeout.
  const run = spawnSync(process.execPath, [...SOURCES, "--input-type=module-typescript", "--eval", script], {
    encoding: "utf8",
    timeout: 50_000,
  });
  expect(run).toMatchObject({ stderr: "", stdout: "watching 3\n", status: 0 });
});
