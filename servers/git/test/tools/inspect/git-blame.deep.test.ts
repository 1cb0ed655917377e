// git_blame of a long file with a long history.
import { expect, test } from "vitest";
import { linesIn, oracle, perLine, type Hunk } from "../../support/blame-lines.ts";
import { world } from "../../support/world.ts";

test("blames every line of a file with 30,000 lines and 40 commits", async () => {
  await using at = await world();
  const lines = Array.from({ length: 30_000 }, (_, n) => `line ${n}`);
  const parts: string[] = [];
  for (let n = 0; n < 40; n++) {
    for (let line = n * 17; line < 30_000; line += 1) if (line % 700 < 2 * n) lines[line] = `line ${line} by ${n}`;
    const content = `${lines.join("\n")}\n`;
    parts.push(
      `commit refs/heads/main\ncommitter Grace <g@example.org> ${1_700_000_000 + n} +0000\ndata 2\nc\nM 100644 inline long.txt\ndata ${content.length}\n${content}\n`,
    );
  }
  at.repository.raw(["fast-import", "--quiet"], { input: parts.join("") });
  at.repository.git("reset", "--hard", "--quiet");
  const first = await at.call("git_blame", { path: "long.txt" });
  expect(Buffer.byteLength(first.text)).toBeLessThan(64_000);
  expect(first.text).toMatch(/^\[more: continue with cursor /);
  const { data, text } = await at.call("git_blame", { path: "long.txt", end_line: 30_000 });
  expect(data["truncated"]).toBe(false);
  expect(perLine(data["hunks"] as Hunk[])).toEqual(oracle(at, "long.txt"));
  expect(linesIn(text)).toEqual(lines);
});
