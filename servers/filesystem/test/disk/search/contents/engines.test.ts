// The engines: ripgrep with open files, ripgrep with one file after another, and the plain one find the same, and refuse the same.
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findRipgrep } from "../../../../src/disk/search/ripgrep/ripgrep-process.ts";
import { ripgrepEngine } from "../../../../src/disk/search/ripgrep/ripgrep-engine.ts";
import { plainEngine } from "../../../../src/disk/search/plain/plain-engine.ts";
import type { SearchEngine } from "../../../../src/disk/search/contents/engine.ts";
import { searchContents } from "../../../../src/disk/search/contents/content-search.ts";
import { agreedMatches } from "./generated-tree.ts";
import { scratch } from "../../support/scratch.ts";
import { refusal } from "../../support/world.ts";

const binary = findRipgrep() ?? "the binary is not installed";
const ENGINES = [ripgrepEngine(binary), plainEngine, ripgrepEngine(binary, { filesByStdin: true })];

describe("all engines", () => {
  test("find the same in a generated tree", async () => {
    const queries = [
      { pattern: "needle", contextLines: 2, include: ["*.ts"], limit: 1000 },
      { pattern: "a.b", literal: true, outputMode: "count" },
      { pattern: "needle\\s+hay", multiline: true, limit: 1000 },
    ] as const;
    expect(await agreedMatches(4, ENGINES.slice(0, 2), queries)).toBeGreaterThan(50);
  });

  test.each(["(", "[z-a]", "*"])("refuse the pattern %s", async (pattern) => {
    const place = scratch({ a: "x" });
    const sandbox = await place.sandbox();
    for (const engine of ENGINES) {
      expect((await refusal(() => searchContents(sandbox, place.root, { pattern }, engine))).message).toMatch(/^Invalid pattern: \S/);
    }
  });

  test("name the ways to plain text, and around look-around", async () => {
    const place = scratch({ a: "x" });
    const sandbox = await place.sandbox();
    for (const engine of ENGINES)
      expect((await refusal(() => searchContents(sandbox, place.root, { pattern: "calcTotal(" }, engine))).message).toMatch(
        /\nFor plain text, write special characters such as \( and \[ with a backslash before them, or pass literal: true \(to replace: leave regex out\)\.$/,
      );
    for (const pattern of ["(?<=calc)Total", "calc(?!Total)", "(a)\\1"])
      expect((await refusal(() => searchContents(sandbox, place.root, { pattern }, ripgrepEngine(binary)))).message).toMatch(
        /\nWithout look-around and backreferences: put what stands around into the pattern \(to replace: /,
      );
  });

  test.each(["a{1000}{1000}{1000}", "(?=x)", "\\1"])("refuses the pattern %s in ripgrep", async (pattern) => {
    const place = scratch({ a: "x" });
    const sandbox = await place.sandbox();
    const error = await refusal(() => searchContents(sandbox, place.root, { pattern }, ripgrepEngine(binary)));
    expect(error.message).toMatch(/^Invalid pattern: \S/);
  });
});

test("ends an endless pattern at the time limit of the plain engine", async () => {
  const place = scratch({ a: `${"a".repeat(40)}b\n` });
  const result = await searchContents(await place.sandbox(), place.root, { pattern: "^(a+)+$", timeLimitMs: 500 }, plainEngine);
  expect(result).toMatchObject({ timedOut: true, truncated: true });
});

test("gives all runs over the files of a page one time together, however many encodings they have", async () => {
  const names = Array.from({ length: 8 }, (_, at) => `f${at}`);
  const place = scratch({});
  for (const [at, name] of names.entries()) writeFileSync(place.at(name), Buffer.from(at % 2 === 0 ? "x\n" : "x é\n", "latin1"));
  const waits: number[] = [];
  const waiting: SearchEngine = {
    ...plainEngine,
    async searchFiles({ signal }) {
      const started = performance.now();
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      waits.push(performance.now() - started);
      return { incomplete: false };
    },
  };
  const result = await searchContents(await place.sandbox(), place.root, { pattern: "x", timeLimitMs: 400 }, waiting);
  expect(result.timedOut).toBe(true);
  const [first = 0, ...others] = waits;
  expect(others.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(first);
});
