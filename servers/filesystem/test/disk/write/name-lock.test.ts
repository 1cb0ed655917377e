/** The lock between processes: marks of the dead are taken away, marks of the living are respected. */
import { execFile } from "node:child_process";
import { lstatSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { digest } from "../../../src/disk/text/hash.ts";
import { withBothLocks, withLock } from "../../../src/disk/write/name-lock.ts";
import { stateOf, thisProcess } from "../../../src/disk/write/lock-owner.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { makeMark, markOf, marksOf } from "./lock-mark.ts";
import { world } from "../support/world.ts";

const token = "0123456789abcdef0123456789abcdef";

/** This process as its owner text would be, with another number. */
function ownerWith(pid: number, start: string): string {
  const [boot, namespace] = thisProcess().split(".");
  return [boot, namespace, pid, start, token].join(".");
}

test("distinguishes owners by process number and start", needs("Linux"), () => {
  expect(stateOf(`${thisProcess()}.${token}`)).toBe("alive");
  expect(stateOf(ownerWith(process.pid, "1"))).toBe("dead");
  expect(stateOf(ownerWith(2 ** 22 + 1, "1"))).toBe("dead");
  expect(stateOf(`00000000.1.${process.pid}.1.${token}`)).toBe("dead");
  const [boot] = thisProcess().split(".");
  expect(stateOf(`${boot}.999.1.1.${token}`)).toBe("unknown");
});

test("removes the mark of a dead process and the file that it left", needs("Linux"), async () => {
  const { root, open } = world();
  const sandbox = await open();
  for (const leftovers of [1, 2, 3]) {
    const mark = markOf(sandbox, "f");
    const dead = ownerWith(process.pid, "1");
    makeMark(dead, mark);
    // It may even have died while it was taking away another's mark.
    if (leftovers > 1) makeMark(ownerWith(process.pid, "2"), `${mark}.${digest(dead)}`);
    if (leftovers > 2) makeMark(dead, `${mark}.${digest(dead)}.${digest(ownerWith(process.pid, "2"))}`);
    writeFileSync(join(root, `.oarlock-${token}.tmp`), "half");
    await writeText(sandbox, "f", `${leftovers}`);
    expect(readFileSync(join(root, "f"), "utf8")).toBe(`${leftovers}`);
    expect(readdirSync(root)).toEqual(["f"]);
    expect(marksOf(mark)).toEqual([]);
  }
});

test("waits for the mark of a living process", needs("/proc"), async () => {
  const { root, open } = world();
  const sandbox = await open();
  const child = execFile("sleep", ["60"]);
  const [start = ""] = readFileSync(`/proc/${child.pid}/stat`, "latin1").split(") ")[1]?.split(" ").slice(19) ?? [];
  const mark = markOf(sandbox, "f");
  makeMark(ownerWith(child.pid ?? 0, start), mark);
  let done = false;
  const write = writeText(sandbox, "f", "new").then(() => (done = true));
  // Another file is not held up.
  await writeText(sandbox, "g", "new");
  expect(done).toBe(false);
  expect(lstatSync(mark).isSymbolicLink()).toBe(true);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
  await write;
  expect(readFileSync(join(root, "f"), "utf8")).toBe("new");
});

test("stops a wait for the lock on request", async () => {
  const { open } = world();
  const sandbox = await open();
  using entry = sandbox.entry("f");
  const controller = new AbortController();
  let release = (): void => undefined;
  const first = withLock(entry, () => new Promise<void>((resolve) => (release = resolve)));
  const second = withLock(entry, () => Promise.resolve("never"), controller.signal);
  controller.abort();
  await new Promise(setImmediate);
  release();
  await first;
  await expect(second).rejects.toThrow(/abort/i);
});

test("locks two names without a circular wait", async () => {
  const { open } = world();
  const sandbox = await open();
  using a = sandbox.entry("a");
  using b = sandbox.entry("b");
  const temps = new Set<string>();
  const work = (x: typeof a, y: typeof a) =>
    withBothLocks(x, y, (first, second) => {
      temps.add(first.temp).add(second.temp);
      return Promise.resolve();
    });
  await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? work(a, b) : work(b, a))));
  await work(a, a);
  expect(temps.size).toBe(41);
});
