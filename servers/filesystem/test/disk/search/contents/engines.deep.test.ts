// The engines: ripgrep with open files, ripgrep with one file after another, and the plain one find the same, whatever is looked for.
import { afterEach, describe, expect, test } from "vitest";
import { findRipgrep } from "../../../../src/disk/search/ripgrep/ripgrep-process.ts";
import { ripgrepEngine } from "../../../../src/disk/search/ripgrep/ripgrep-engine.ts";
import { plainEngine } from "../../../../src/disk/search/plain/plain-engine.ts";
import { chooseEngine, usePlainEngine } from "../../../../src/disk/search/contents/engine-choice.ts";
import { searchContents } from "../../../../src/disk/search/contents/content-search.ts";
import type { ContentsOptions } from "../../../../src/disk/search/contents/options.ts";
import { agreedMatches } from "./generated-tree.ts";
import { scratch } from "../../support/scratch.ts";

const QUERIES: readonly ContentsOptions[] = [
  { pattern: "needle" },
  { pattern: "needle", contextLines: 2, limit: 1000 },
  { pattern: "n.{1,2}edle$", caseSensitive: false, limit: 1000 },
  { pattern: "a.b", literal: true, outputMode: "count" },
  { pattern: "^\\s*$", outputMode: "count", limit: 1000 },
  { pattern: "\\bneedle\\b", outputMode: "files", includeHidden: true, limit: 1000 },
  { pattern: "needle", respectGitignore: false, includeHidden: true, limit: 1000 },
  { pattern: "needle", include: ["*.ts"], exclude: ["node_modules", "src/deep/**"], limit: 1000 },
  { pattern: "--", limit: 1000 },
  { pattern: "\\p{Emoji_Presentation}", limit: 1000 },
  { pattern: "needle\\s+hay", multiline: true, limit: 1000 },
  { pattern: "^hay$(\r?\n.*){1,3}needle", multiline: true, contextLines: 1, limit: 1000 },
  { pattern: "needle\nhay", multiline: true, literal: true, outputMode: "count", limit: 1000 },
  { pattern: "(?s)hay.*?needle", multiline: true, outputMode: "files", includeHidden: true, limit: 1000 },
  { pattern: "^", multiline: true, outputMode: "count", limit: 1000 },
];

const binary = findRipgrep() ?? "the binary is not installed";
const ENGINES = [ripgrepEngine(binary), plainEngine, ripgrepEngine(binary, { filesByStdin: true })];

// A wildcard of ripgrep matches no byte that is not UTF-8, and one of JavaScript does.
test.each([
  [1, ENGINES, false],
  ...(process.env["OARLOCK_LONG"] === "1" ? ([[2, ENGINES, false]] as const) : []),
  [3, ENGINES.filter(({ name }) => name === "ripgrep"), true],
] as const)(
  "finds the same with all engines in generated tree %i",
  async (seed, engines, hasLatin1) => {
    expect(await agreedMatches(seed, engines, QUERIES, hasLatin1)).toBeGreaterThan(300);
  },
  120_000,
);

describe("without a binary that can be started", () => {
  afterEach(() => expect(chooseEngine().name).toBe("plain"));

  test("falls back to the plain engine", async () => {
    const place = scratch({ a: "needle\n" });
    usePlainEngine();
    expect((await searchContents(await place.sandbox(), place.root, { pattern: "needle" })).matches).toHaveLength(1);
  });
});
