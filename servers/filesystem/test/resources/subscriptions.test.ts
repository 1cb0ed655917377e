// Subscriptions in every revision over every transport: which changes are notified, and how fast.
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { linkTo, type Tree } from "@oarlock/testing";
import { expect, vi } from "vitest";
import { everyCell as everySharedCell, type Cell } from "../support/cells.ts";
import { soon } from "../support/soon.ts";

// Most of the time here is waiting.
vi.setConfig({ maxConcurrency: 56 });
const everyCell = (title: string, tree: Tree, body: (cell: Cell) => Promise<void>): void =>
  everySharedCell(title, tree, body, { concurrent: true });

/** Subscribes, and counts the notices. */
async function watch({ client, at }: Cell, name: string): Promise<{ count: number; uri: string }> {
  const seen = { count: 0, uri: `file://${at(name)}` };
  await client.subscribe(seen.uri, (uri) => {
    expect(uri).toBe(seen.uri);
    seen.count++;
  });
  return seen;
}

everyCell("SUB-01 notifies within 3 seconds when a file changes, disappears or comes back", { f: "1" }, async (cell) => {
  const seen = await watch(cell, "f");
  writeFileSync(cell.at("f"), "22");
  await soon(
    () => seen.count,
    (count) => count > 0,
  );
  const afterChange = seen.count;
  rmSync(cell.at("f"));
  await soon(
    () => seen.count,
    (count) => count > afterChange,
  );
  const afterEnd = seen.count;
  writeFileSync(cell.at("f"), "3");
  await soon(
    () => seen.count,
    (count) => count > afterEnd,
  );
  await cell.client.unsubscribe(seen.uri);
});

everyCell("notifies twice when another program replaces a file by renaming twice", { f: "1" }, async (cell) => {
  const seen = await watch(cell, "f");
  for (const content of ["two", "three"]) {
    const before = seen.count;
    writeFileSync(cell.at("f.tmp"), content);
    renameSync(cell.at("f.tmp"), cell.at("f"));
    await soon(
      () => seen.count,
      (count) => count > before,
    );
  }
  await cell.client.unsubscribe(seen.uri);
});

everyCell("notifies for writes of this server too", { f: "1" }, async (cell) => {
  const seen = await watch(cell, "f");
  await cell.call("write_file", { path: cell.at("f"), content: "new" });
  await soon(
    () => seen.count,
    (count) => count > 0,
  );
  await cell.client.unsubscribe(seen.uri);
});

everyCell("a directory tells of what comes into it, and a file that is not there yet of its coming", { d: {} }, async (cell) => {
  const [folder, coming] = [await watch(cell, "d"), await watch(cell, "d/new")];
  writeFileSync(cell.at("d/new"), "x");
  await soon(
    () => folder.count,
    (count) => count > 0,
  );
  await soon(
    () => coming.count,
    (count) => count > 0,
  );
  await cell.client.unsubscribe(folder.uri);
  await cell.client.unsubscribe(coming.uri);
});

everyCell("SUB-03 notifies neither after unsubscribe nor for other files", { f: "1", g: "1" }, async (cell) => {
  const [ended, other] = [await watch(cell, "f"), await watch(cell, "g")];
  await cell.client.unsubscribe(ended.uri);
  await cell.client.unsubscribe(ended.uri);
  for (let round = 0; round < 5; round++) {
    appendFileSync(cell.at("f"), "x");
    writeFileSync(cell.at("nobody"), String(round));
  }
  // A notice of the other one proves that those before it would have come.
  writeFileSync(cell.at("g"), "2");
  await soon(
    () => other.count,
    (count) => count > 0,
  );
  expect(ended.count).toBe(0);
  await cell.client.unsubscribe(other.uri);
});

everyCell("400 quick changes give fewer than 60 notices, and the last change is notified", { f: "" }, async (cell) => {
  const seen = await watch(cell, "f");
  for (let change = 0; change < 400; change++) appendFileSync(cell.at("f"), "x");
  await soon(
    () => seen.count,
    (count) => count > 0,
  );
  // Two looks far apart that see the same: the notices are over.
  let before = -1;
  await soon(
    async () => (await new Promise((resolve) => setTimeout(resolve, 400)), before === seen.count || ((before = seen.count), false)),
    Boolean,
    5000,
  );
  expect(seen.count).toBeLessThan(60);
  const received = seen.count;
  appendFileSync(cell.at("f"), "last");
  await soon(
    () => seen.count,
    (count) => count > received,
  );
  await cell.client.unsubscribe(seen.uri);
});

everyCell(
  "a link that leads out cannot be watched, and one that is turned outwards falls silent",
  { f: "1", out: linkTo("/etc/hostname"), l: linkTo("f") },
  async (cell) => {
    const refused = cell.facts.era === "handshake" ? { code: -32002 } : { name: "UnsupportedCapabilityError" };
    await expect(cell.client.subscribe(`file://${cell.at("out")}`, () => undefined)).rejects.toMatchObject(refused);
    mkdirSync(cell.at("d"));
    const seen = await watch(cell, "l");
    writeFileSync(cell.at("f"), "2");
    await soon(
      () => seen.count,
      (count) => count > 0,
    );
    await cell.client.unsubscribe(seen.uri);
  },
);
