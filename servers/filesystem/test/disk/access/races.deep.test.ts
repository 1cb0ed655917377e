/**
 * PATH-42 and PATH-43: another process exchanges names while we work. The number of rounds comes from the environment for
 * long runs: OARLOCK_RACE_READS (200000) and OARLOCK_RACE_WRITES (50000).
 */
import { fork } from "node:child_process";
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { DiskError } from "../../../src/disk/errors.ts";
import { info } from "../../../src/disk/read/file-info.ts";
import { makeFolder } from "../../../src/disk/write/directory-maker.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { world, type World } from "../support/world.ts";

const LONG = process.env["OARLOCK_LONG"] === "1";
const reads = Number(process.env["OARLOCK_RACE_READS"] ?? (LONG ? 1500 : 500));
const writes = Number(process.env["OARLOCK_RACE_WRITES"] ?? (LONG ? 80 : 40));
const limit = Math.max(60_000, reads * 5, writes * 50);

/** How often each way of ending occurred; anything but a clear refusal is an error. */
class Tally {
  readonly counts = new Map<string, number>();

  async run(name: string, act: () => unknown): Promise<unknown> {
    try {
      const result = await act();
      this.#add(`${name} done`);
      return result;
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      if (error.message.includes("canary")) throw error;
      this.#add(`${name} ${error.code}`);
      return undefined;
    }
  }

  #add(key: string): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }
}

async function withSwapper(
  here: World,
  kind: "leaf" | "folder" | "root",
  work: (sandbox: Sandbox, tally: Tally) => Promise<void>,
): Promise<void> {
  const child = fork(new URL("../children/swap.ts", import.meta.url), [here.root, here.out, kind]);
  const tally = new Tally();
  try {
    // A root must be in its place when it is pinned.
    const sandbox = await here.open();
    await new Promise((ready) => child.once("message", ready));
    await work(sandbox, tally);
  } finally {
    if (process.env["OARLOCK_RACE_READS"] !== undefined) console.log(kind, Object.fromEntries(tally.counts));
    const exit = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await exit;
  }
  if (kind === "root") putBack(here);
  expect(readFileSync(join(here.out, "secret.txt"), "utf8")).toBe(here.canary);
  expect(readdirSync(here.out)).toEqual(["secret.txt"]);
}

function putBack({ root, out }: World): void {
  if (!existsSync(`${root}-away`)) return;
  if (!existsSync(out)) renameSync(root, out);
  renameSync(`${root}-away`, root);
}

test("PATH-42 never reads or changes the secret when the leaf is swapped", { timeout: limit, ...needs("POSIX") }, async () => {
  const here = world();
  await withSwapper(here, "leaf", async (sandbox, tally) => {
    for (let i = 0; i < reads; i += 1) {
      const seen = await tally.run("read", () => readText(sandbox, "x"));
      if (seen !== undefined) expect(seen).toMatchObject({ content: "good" });
      if (i % 10 === 0)
        expect(JSON.stringify(await tally.run("info", () => info(sandbox, "x"))) ?? "").not.toContain(`"size":${here.canary.length}`);
    }
    for (let i = 0; i < writes; i += 1) {
      await tally.run("write", () => writeText(sandbox, "x", "good"));
      await tally.run("append", () => writeText(sandbox, "x", "", { mode: "append" }));
      const edited = (await tally.run("edit", () => editText(sandbox, "x", [{ oldText: "good", newText: "good" }]))) as
        | { diff: string }
        | undefined;
      expect(edited?.diff ?? "").not.toContain("canary");
      await tally.run("move", () => move(sandbox, "x", "y"));
      await tally.run("back", () => move(sandbox, "y", "x", { overwrite: true }));
    }
    expect(tally.counts.get("read done")).toBeGreaterThan(0);
    expect(tally.counts.get("read denied")).toBeGreaterThan(0);
  });
  for (const name of readdirSync(here.root)) rmSync(join(here.root, name), { force: true });
});

test("PATH-43 reads and writes nothing outside when a middle directory is swapped", { timeout: limit, ...needs("POSIX") }, async () => {
  const here = world();
  await withSwapper(here, "folder", async (sandbox, tally) => {
    for (let i = 0; i < reads; i += 1) {
      const seen = await tally.run("read", () => readText(sandbox, "d/secret.txt"));
      expect(seen).toBeUndefined();
      await tally.run("list", () => {
        using folder = sandbox.folder("d");
        expect(readdirSync(folder.self)).not.toContain("secret.txt");
      });
    }
    for (let i = 0; i < writes; i += 1) {
      await tally.run("write", () => writeText(sandbox, "d/secret.txt", "mine"));
      await tally.run("edit", () => editText(sandbox, "d/secret.txt", [{ oldText: "mine", newText: "mine2" }]));
      await tally.run("make", () => makeFolder(sandbox, `d/a${i % 7}/b${i}`));
      await tally.run("move in", () =>
        writeText(sandbox, "plain", "plain").then(() => move(sandbox, "plain", `d/plain${i % 5}`, { overwrite: true })),
      );
      await tally.run("move out", () => move(sandbox, "d/secret.txt", "taken", { overwrite: true }));
      expect(
        await tally.run("look", () => Promise.resolve(readText(sandbox, "taken")).then((read) => read.content.startsWith("canary"))),
      ).not.toBe(true);
    }
    expect(tally.counts.get("read denied")).toBeGreaterThan(0);
    expect(tally.counts.get("list done")).toBeGreaterThan(0);
  });
  writeFileSync(join(here.root, "end"), "");
});

test("PATH-17 uses the pinned root when the root is swapped, also behind links", { timeout: limit, ...needs("Linux") }, async () => {
  const here = world();
  symlinkSync(here.root, join(here.root, "self"));
  symlinkSync(join(here.root, "secret.txt"), join(here.root, "link"));
  writeFileSync(join(here.root, "ok"), "ok");
  await withSwapper(here, "root", async (sandbox, tally) => {
    for (let i = 0; i < reads; i += 1) {
      for (const path of ["secret.txt", "self/secret.txt", "link", `${here.root}/secret.txt`]) {
        expect(await tally.run("secret", () => readText(sandbox, path))).toBeUndefined();
      }
      const ok = await tally.run("ok", () => readText(sandbox, "self/ok"));
      if (ok !== undefined) expect(ok).toMatchObject({ content: "ok" });
    }
    for (let i = 0; i < writes; i += 1) await tally.run("write", () => writeText(sandbox, `self/new${i % 3}`, "mine"));
    expect(tally.counts.get("ok done")).toBeGreaterThan(0);
    expect(tally.counts.get("ok not-found")).toBeGreaterThan(0);
  });
});
