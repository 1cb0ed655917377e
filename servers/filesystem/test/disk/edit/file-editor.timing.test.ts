// What edits of large files cost, and how long they hold up other calls.
import { cpuMs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { matchFlexibly } from "../../../src/disk/edit/flexible-match.ts";
import { editor, one } from "../support/editor.ts";
import { refuses } from "../support/world.ts";

/** Milliseconds of this process's own work: other work on the machine must not fail a test. */
async function cost(act: () => Promise<unknown>): Promise<number> {
  const before = cpuMs();
  await act();
  return cpuMs() - before;
}

test("matches repetitive text flexibly at low cost", async () => {
  const { edit } = await editor("x\n".repeat(400_000));
  expect(await cost(() => refuses("not-found", () => edit(one(`${"x\n".repeat(4000)}y`, "z"))))).toBeLessThan(6000);
});

test("edits a megabyte in little CPU time", async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i} ${"x".repeat(40)}`);
  const { edit, text } = await editor(`${lines.join("\n")}\n`);
  await edit(one("line 77 ", "LINE 77 "));
  expect(await cost(() => edit(one("line 10000 ", "LINE 10000 ")))).toBeLessThan(600);
  let diff = "";
  const far = [...one("line 0 ", "LINE 0 "), ...one("line 19999 ", "LINE 19999 ")];
  expect(await cost(() => edit(far).then((result) => (diff = result.diff)))).toBeLessThan(2000);
  expect(diff.match(/^@@/gm)?.length).toBe(2);
  expect(await cost(() => edit(one("xxxx\n", "yyyy\n", { replaceAll: true })))).toBeLessThan(8000);
  expect(text().startsWith(`LINE 0 ${"x".repeat(36)}yyyy\n`)).toBe(true);
});

test("yields to other calls while it compares a large file", async () => {
  const lines = Array.from({ length: 300_000 }, (_, at) => (at % 300 === 0 ? "y" : "x"));
  const { edit, text } = await editor(lines.join("\n"));
  const start = cpuMs();
  let [longest, last] = [0, start];
  const timer = setInterval(() => {
    longest = Math.max(longest, cpuMs() - last);
    last = cpuMs();
  }, 5);
  const { diff } = await edit(one("y", "z", { replaceAll: true }));
  clearInterval(timer);
  longest = Math.max(longest, cpuMs() - last);
  const whole = cpuMs() - start;
  expect(diff.match(/^[+]z$/gm)?.length).toBe(1000);
  expect(text()).toBe(lines.join("\n").replaceAll("y", "z"));
  // CPU time between two turns of the event loop.
  expect(longest).toBeLessThan(whole / 2);
});

test("matches repeated lines flexibly in linear time", () => {
  const start = cpuMs();
  expect(matchFlexibly("}\n".repeat(100_000), " }\n".repeat(300) + "x", "y").kind).toBe("none");
  expect(cpuMs() - start).toBeLessThan(2000);
});
