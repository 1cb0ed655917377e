// PATH-21 and PATH-22: how long paths take that are very long, or have very many components.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuMs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeFolder } from "../../../src/disk/write/directory-maker.ts";
import { allActs, looks } from "../support/operations.ts";
import { refusal, world } from "../support/world.ts";

test("PATH-21 answers long input quickly with a short error", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  for (const path of ["n".repeat(300), "p/".repeat(2500), "q".repeat(10_000_000), "é".repeat(3000)]) {
    const start = cpuMs();
    for (const act of allActs(sandbox, path)) {
      const error = await refusal(act);
      expect(error.code).toBe("invalid");
      expect(error.message.length).toBeLessThan(400);
    }
    expect(cpuMs() - start).toBeLessThan(1000);
  }
});

test("PATH-22 answers many components within a second each, too long or not", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  for (const part of ["a/", "../", "./", "//"]) {
    const acts = [
      ...allActs(sandbox, part.repeat(100_000)),
      ...looks(sandbox, part.repeat(1300)),
      ...looks(sandbox, `${root}/${part.repeat(1300)}x`),
    ];
    for (const act of acts) {
      const start = cpuMs();
      await refusal(act).catch(() => undefined);
      expect(cpuMs() - start).toBeLessThan(1000);
    }
  }
});

test("PATH-22 creates, reads and climbs a deep chain in time", async () => {
  const { root, open } = world();
  mkdirSync(join(root, "x"));
  const sandbox = await open();
  const deep = `x/${"d/".repeat(400)}`;
  expect((await makeFolder(sandbox, deep)).created).toBe(true);
  expect((await makeFolder(sandbox, deep)).created).toBe(false);
  const start = cpuMs();
  using back = sandbox.folder(`${deep}${"../".repeat(400)}`);
  expect(back.path).toBe(join(root, "x"));
  expect(cpuMs() - start).toBeLessThan(1000);
});
