// PATH-43 for copies and deletions: a program exchanges a directory for a link out, as fast as it can, while trees are copied from
// it, into it, and deleted in it. OARLOCK_RACE_WRITES sets the number of rounds for long runs.
import { fork } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { deletePath, planDeletion } from "../../../src/disk/transfer/delete.ts";
import { DiskError } from "../../../src/disk/errors.ts";
import { world } from "../support/world.ts";

const rounds = Number(process.env["OARLOCK_RACE_WRITES"] ?? 150);

/** All rounds take 2 s. On a busy machine the program that swaps gets in between more often, and one round takes a second. */
const ENOUGH_MS = 30_000;

const SIDES = ["copy in done", "copy in denied", "delete file done", "delete file denied"];
const bothSidesMet = (tally: ReadonlyMap<string, number>): boolean => SIDES.every((side) => tally.has(side));

test(
  "PATH-43 copies no secret and deletes nothing outside when a directory is swapped",
  { timeout: Math.max(300_000, rounds * 100), ...needs("POSIX") },
  async () => {
    const { root, out, canary, open } = world();
    mkdirSync(join(root, "seed/sub"), { recursive: true });
    for (const name of ["seed/a", "seed/sub/b", "seed/secret.txt"]) writeFileSync(join(root, name), "plain");
    const sandbox = await open();
    const child = fork(new URL("../children/swap.ts", import.meta.url), [root, out, "folder"]);
    const tally = new Map<string, number>();
    const run = async (name: string, act: () => Promise<unknown>): Promise<void> => {
      let how = "done";
      try {
        await act();
      } catch (error) {
        if (!(error instanceof DiskError)) throw error;
        expect(error.message).not.toContain(canary);
        how = error.code;
      }
      tally.set(`${name} ${how}`, (tally.get(`${name} ${how}`) ?? 0) + 1);
    };
    try {
      await new Promise((ready) => child.once("message", ready));
      const begun = performance.now();
      for (let round = 0; round < rounds && !(performance.now() - begun > ENOUGH_MS && bothSidesMet(tally)); round++) {
        await run("copy in", () => copy(sandbox, "seed", `d/t${round % 3}`, { recursive: true }));
        await run("copy file", () => copy(sandbox, "seed/a", "d/secret.txt", { overwrite: true }));
        await run("copy out", () => copy(sandbox, "d", `c${round}`, { recursive: true }));
        await run("take", () => copy(sandbox, "d/secret.txt", `s${round}`));
        await run("look", () => planDeletion(sandbox, "d/secret.txt", { maxBytes: 1000 }));
        await run("delete file", () => deletePath(sandbox, "d/secret.txt", {}));
        await run("delete in", () => deletePath(sandbox, `d/t${round % 3}`, { recursive: true }));
        if (round % 10 === 9) await run("delete", () => deletePath(sandbox, "d", { recursive: true }));
      }
    } finally {
      const exit = new Promise((done) => child.once("exit", done));
      child.kill("SIGKILL");
      await exit;
    }
    expect(readFileSync(join(out, "secret.txt"), "utf8")).toBe(canary);
    expect(readdirSync(out)).toEqual(["secret.txt"]);
    for (const text of texts(root)) expect(text).not.toContain(canary);
    expect(bothSidesMet(tally), JSON.stringify([...tally])).toBe(true);
  },
);

/** Of every regular file; links are not followed. */
function texts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return texts(path);
    return entry.isFile() ? [readFileSync(path, "utf8")] : [];
  });
}
