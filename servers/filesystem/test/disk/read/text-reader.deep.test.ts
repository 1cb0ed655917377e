// Reading of many random texts, and of a file that another process makes longer all the time.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fork } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { writtenComesBack } from "../support/round-trip.ts";
import { world } from "../support/world.ts";

const texts = process.env["OARLOCK_LONG"] === "1" ? 500 : 150;

test("reads what it wrote, for many random texts", () => writtenComesBack(texts));

test("PATH-41 ends a growing file at its size when it was opened", async () => {
  const { root, open } = world();
  const path = join(root, "log");
  writeFileSync(path, "0\n".repeat(3_000_000));
  const writer = fork(new URL("../children/append.ts", import.meta.url), [path]);
  await new Promise((ready) => writer.once("message", ready));
  const sandbox = await open();
  for (let i = 0; i < 8; i += 1) {
    const read = await readText(sandbox, "log", { tail: 5 });
    expect(read.content.replace(/\n$/, "").split("\n").length).toBeLessThanOrEqual(5);
    expect((await readText(sandbox, "log")).truncated).toBe(true);
  }
  const exit = new Promise((done) => writer.once("exit", done));
  writer.kill("SIGKILL");
  await exit;
  mkdirSync(join(root, "done"));
  expect(readFileSync(path).length).toBeGreaterThan(6_000_000);
});
