// The server as a process, on files of several gigabytes: first lines, last lines and a range cost what they show, not what the
// file weighs.
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { startStress } from "../cases/stress.ts";

const FULL = process.env["OARLOCK_FULL_CASES"] === "1";
const SIZE = 3 * 1024 ** 3;
const MOST = 50 * 1024 ** 2;
/** 10,000 lines, so that 5,000 of them are some blocks. */
const NUMBERED = Array.from({ length: 10_000 }, (_, at) => `line ${at} ${"x".repeat(90)}\n`);

test(
  "PATH-40 reads head, tail and a range of a sparse file of 3 GB in less than 50 MB over idle",
  { timeout: 120_000, ...needs("Linux") },
  async () => {
    await using stress = await startStress();
    const fd = openSync(stress.at("huge"), "w");
    writeSync(fd, NUMBERED.join(""));
    ftruncateSync(fd, SIZE);
    writeSync(fd, `\n${NUMBERED.join("")}`, SIZE);
    closeSync(fd);
    const read = (part: object) => stress.reply("read_text_file", { path: "huge", ...part }, 60_000);
    const idle = stress.server.memory()?.now ?? NaN;
    const rows = [
      [{ head: 10 }, NUMBERED.slice(0, 10).join("").trimEnd()],
      [{ tail: 10 }, NUMBERED.slice(-10).join("")],
      [{ head: 5000 }, NUMBERED.slice(0, 5000).join("").trimEnd()],
      [{ tail: 5000 }, NUMBERED.slice(-5000).join("")],
      [{ offset: 9000, limit: 10 }, NUMBERED.slice(8999, 9009).join("").trimEnd()],
      // Behind one line of 3 GB, which takes its time.
      ...(FULL ? [[{ offset: 10_002, limit: 10 }, NUMBERED.slice(0, 10).join("").trimEnd()] as const] : []),
    ] as const;
    for (const [part, wanted] of rows) {
      const { text } = await read(part);
      expect(text.replace(/\n\[truncated:[^\n]*\]$/, ""), JSON.stringify(part)).toBe(wanted);
    }
    const over = (stress.server.memory()?.peak ?? NaN) - idle;
    if (FULL) console.log("MiB over idle", Math.round(over / 1024 ** 2));
    expect(over).toBeLessThan(MOST);
    expect(await read({})).toMatchObject({ failed: true, text: expect.stringMatching(/at most \d+ are allowed here/) });
  },
);
