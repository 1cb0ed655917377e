/** Several processes on one file, and processes that are killed at any moment: OARLOCK_KILL_ROUNDS times (500 for the long form). */
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { markOf, marksOf } from "./lock-mark.ts";
import { SOURCES } from "../support/sources.ts";
import { tempsIn, world } from "../support/world.ts";

const script = fileURLToPath(new URL("../children/worker.ts", import.meta.url));

const rounds = Number(process.env["OARLOCK_KILL_ROUNDS"] ?? (process.env["OARLOCK_LONG"] === "1" ? 12 : 7));
const limit = Math.max(120_000, rounds * 2000);

interface Worker {
  readonly child: ChildProcess;
  /** The last round that was said to be done; -1 before the first. */
  readonly done: () => number;
  readonly ended: Promise<number | null>;
}

function start(root: string, kind: string, who: string, rounds: number, onRound?: () => void): Worker {
  const child = spawn(process.execPath, [...SOURCES, script, root, kind, who, `${rounds}`], { stdio: ["ignore", "pipe", "inherit"] });
  let replyText = "";
  child.stdout.on("data", (chunk: Buffer) => {
    replyText += chunk.toString("latin1");
    onRound?.();
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, ended, done: () => Number(replyText.trimEnd().split("\n").at(-1) || "-1") };
}

test("loses no edits of different lines by several processes", async () => {
  const { root, open } = world();
  const names = ["one", "two", "three"];
  writeFileSync(join(root, "lines"), names.map((name) => `${name}: 0\n`).join(""));
  const workers = names.map((name) => start(root, "line", name, 30));
  expect(await Promise.all(workers.map((worker) => worker.ended))).toEqual([0, 0, 0]);
  expect(readFileSync(join(root, "lines"), "utf8")).toBe(names.map((name) => `${name}: 30\n`).join(""));
  expect(marksOf(markOf(await open(), "lines"))).toEqual([]);
});

test("checks and replaces atomically between processes", async () => {
  const { root } = world();
  writeFileSync(join(root, "count"), "0");
  const workers = ["one", "two", "three"].map((name) => start(root, "count", name, 30));
  expect(await Promise.all(workers.map((worker) => worker.ended))).toEqual([0, 0, 0]);
  expect(readFileSync(join(root, "count"), "utf8")).toBe("90");
});

test(
  "continues after processes are killed with the lock, and loses nothing acknowledged",
  async () => {
    const { root, open } = world();
    writeFileSync(join(root, "count"), "0");
    let acknowledged = 0;
    let kills = 0;
    const lane = async (name: string): Promise<void> => {
      while (kills < rounds) {
        const wait = 1 + Math.floor(Math.random() * 12);
        let heard = 0;
        const worker: Worker = start(root, "count", name, 10_000, () => {
          heard += 1;
          if (heard === wait) setTimeout(() => worker.child.kill("SIGKILL"), Math.random() * 5);
        });
        await worker.ended;
        kills += 1;
        acknowledged += worker.done() + 1;
      }
    };
    await Promise.all(["one", "two", "three"].map(lane));
    const total = Number(readFileSync(join(root, "count"), "utf8"));
    expect(acknowledged).toBeGreaterThan(kills);
    expect(total).toBeGreaterThanOrEqual(acknowledged);
    expect(total).toBeLessThanOrEqual(acknowledged + kills);
    await writeText(await open(), "count", "end");
    expect(tempsIn(root), "what the killed left is swept by the next write").toEqual([]);
    expect(marksOf(markOf(await open(), "count"))).toEqual([]);
  },
  limit,
);

test(
  "leaves the old or the new content when a writer is killed at any moment",
  async () => {
    const { root, open } = world();
    writeFileSync(join(root, "text"), "");
    for (let round = 0; round < rounds; round += 1) {
      const who = `w${round}`;
      const before = readFileSync(join(root, "text"), "utf8");
      let armed = false;
      const worker: Worker = start(root, "text", who, 10_000, () => {
        if (!armed) setTimeout(() => worker.child.kill("SIGKILL"), Math.random() * 25);
        armed = true;
      });
      await worker.ended;
      const text = readFileSync(join(root, "text"), "utf8");
      const [, number = ""] = /end (\d+)\n$/.exec(text) ?? [];
      const whole = `${`${who} ${number}\n`.repeat(20_000)}end ${number}\n`;
      expect(text === whole || (worker.done() === -1 && text === before), `round ${round}: old or new`).toBe(true);
      // Every third round adds nothing, so the content tells the round but for that one.
      if (text === whole) expect(Number(number) + (worker.done() % 3 === 2 ? 1 : 0)).toBeGreaterThanOrEqual(worker.done());
    }
    await writeText(await open(), "text", "end");
    expect(tempsIn(root)).toEqual([]);
    expect(marksOf(markOf(await open(), "text"))).toEqual([]);
  },
  limit,
);
