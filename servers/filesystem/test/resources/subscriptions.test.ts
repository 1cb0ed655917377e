// Subscriptions in every revision: which changes are notified, and which are not. test/disk/watch has all kinds of changes.
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { linkTo } from "@oarlock/testing";
import { expect } from "vitest";
import { everyRevisionOn, type ServedFolder } from "../support/served-folder.ts";
import { soon } from "../support/soon.ts";

/** Subscribes, and counts the notices. */
async function watch({ client, at }: ServedFolder, name: string): Promise<{ count: number; uri: string }> {
  const seen = { count: 0, uri: `file://${at(name)}` };
  await client.subscribe(seen.uri, (uri) => {
    expect(uri).toBe(seen.uri);
    seen.count++;
  });
  return seen;
}

everyRevisionOn("SUB-01 notifies when a file changes, disappears or comes back", { f: "1" }, async (served) => {
  const seen = await watch(served, "f");
  writeFileSync(served.at("f"), "22");
  await soon(
    () => seen.count,
    (count) => count > 0,
  );
  const afterChange = seen.count;
  rmSync(served.at("f"));
  await soon(
    () => seen.count,
    (count) => count > afterChange,
  );
  const afterEnd = seen.count;
  writeFileSync(served.at("f"), "3");
  await soon(
    () => seen.count,
    (count) => count > afterEnd,
  );
  await served.client.unsubscribe(seen.uri);
});

everyRevisionOn("notifies of new entries of a directory, and of the creation of a missing file", { d: {} }, async (served) => {
  const [folder, coming] = [await watch(served, "d"), await watch(served, "d/new")];
  writeFileSync(served.at("d/new"), "x");
  await soon(
    () => folder.count,
    (count) => count > 0,
  );
  await soon(
    () => coming.count,
    (count) => count > 0,
  );
  await served.client.unsubscribe(folder.uri);
  await served.client.unsubscribe(coming.uri);
});

everyRevisionOn("SUB-03 notifies neither after unsubscribe nor for other files", { f: "1", g: "1" }, async (served) => {
  const [ended, other] = [await watch(served, "f"), await watch(served, "g")];
  await served.client.unsubscribe(ended.uri);
  await served.client.unsubscribe(ended.uri);
  for (let round = 0; round < 5; round++) {
    appendFileSync(served.at("f"), "x");
    writeFileSync(served.at("nobody"), String(round));
  }
  // A notice of the other one proves that those before it would have come.
  writeFileSync(served.at("g"), "2");
  await soon(
    () => other.count,
    (count) => count > 0,
  );
  expect(ended.count).toBe(0);
  await served.client.unsubscribe(other.uri);
});

everyRevisionOn(
  "refuses to watch a link that leads outside, and stops notifying of one that is retargeted outside",
  { f: "1", out: linkTo("/etc/hostname"), l: linkTo("f") },
  async (served) => {
    const refused = served.facts.era === "handshake" ? { code: -32002 } : { name: "UnsupportedCapabilityError" };
    await expect(served.client.subscribe(`file://${served.at("out")}`, () => undefined)).rejects.toMatchObject(refused);
    mkdirSync(served.at("d"));
    const seen = await watch(served, "l");
    writeFileSync(served.at("f"), "2");
    await soon(
      () => seen.count,
      (count) => count > 0,
    );
    await served.client.unsubscribe(seen.uri);
  },
);
