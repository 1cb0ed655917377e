// search_file_contents in every revision: what is said, pages and progress.
import { connectTo, tempFolder, type Tree } from "@oarlock/testing";
import { expect, test } from "vitest";
import { everyRevisionOn, onServedFolder, text } from "../support/served-folder.ts";
import { targetOf } from "../support/target.ts";

const CODE: Tree = { "a.ts": "const a = 1;\n// TODO: grün\nexport { a };\n", sub: { "b.md": "todo\nTODO\n" } };

everyRevisionOn(
  "servers#896 servers#735 servers#1067 servers#3419 describes search_files as a search for names, and finds lines by the search for contents",
  CODE,
  async ({ client, call, at, folder, structured }) => {
    const tools = await Array.fromAsync(client.tools());
    const about = (name: string) => tools.find((tool) => tool.name === name)?.description ?? "";
    expect(about("search_files")).toContain("names, not into files");
    expect(about("search_file_contents")).toMatch(/inside files, like grep/);
    expect(text(await call("search_files", { path: folder, pattern: "TODO" }))).toContain("No matches found");
    const result = await call("search_file_contents", { path: folder, pattern: "TODO", contextLines: 1 });
    expect(text(result)).toBe(
      [
        "2 matching lines in 2 files:",
        `${at("a.ts")}-1- const a = 1;`,
        `${at("a.ts")}:2: // TODO: grün`,
        `${at("a.ts")}-3- export { a };`,
        "--",
        `${at("sub/b.md")}-1- todo`,
        `${at("sub/b.md")}:2: TODO`,
      ].join("\n"),
    );
    if (!structured) return;
    expect(result.structuredContent).toEqual({
      matches: [
        { path: at("a.ts"), line: 2, column: 4, text: "// TODO: grün", before: ["const a = 1;"], after: ["export { a };"] },
        { path: at("sub/b.md"), line: 2, column: 1, text: "TODO", before: ["todo"], after: [] },
      ],
      filesSearched: 2,
      filesMatched: 2,
      truncated: false,
    });
  },
);

everyRevisionOn(
  "matches across lines in search_file_contents, and states how many files it searched",
  { "a.ts": "call(\n  one,\n);\n", "b.ts": "call(two);\n", c: "hay\n" },
  async ({ call, at, folder, structured, failure }) => {
    const asked = { path: folder, pattern: "call(\n  one", literal: true };
    const result = await call("search_file_contents", { ...asked, multiline: true });
    expect(text(result)).toBe(`${at("a.ts")}:1-2: call(\n    one,`);
    if (structured)
      expect(result.structuredContent).toEqual({
        matches: [{ path: at("a.ts"), line: 1, column: 1, endLine: 2, text: "call(\n  one,", before: [], after: [] }],
        filesSearched: 3,
        filesMatched: 1,
        truncated: false,
      });
    expect(await failure("search_file_contents", asked)).toContain("matches that span lines");
    const none = await call("search_file_contents", { path: folder, pattern: "none", outputMode: "files" });
    if (structured) expect(none.structuredContent).toEqual({ files: [], filesSearched: 3, filesMatched: 0, truncated: false });
  },
);

everyRevisionOn(
  "servers#335 finds and reads a snippet of a large file without the rest",
  { big: `${"hay\n".repeat(50_000)}needle\n` },
  async ({ call, at }) => {
    expect(text(await call("search_file_contents", { path: at("big"), pattern: "needle", literal: true }))).toBe(
      `${at("big")}:50001: needle`,
    );
  },
);

everyRevisionOn("returns files, counts and pages of search_file_contents", CODE, async ({ call, failure, at, folder, structured }) => {
  const path = { path: folder, pattern: "todo", caseSensitive: false };
  expect(text(await call("search_file_contents", { ...path, outputMode: "files" }))).toBe(`${at("a.ts")}\n${at("sub/b.md")}`);
  expect(text(await call("search_file_contents", { ...path, outputMode: "count", include: ["*.md"] }))).toBe(
    `2 matching lines in 1 file:\n${at("sub/b.md")}: 2`,
  );
  const first = await call("search_file_contents", { ...path, limit: 2 });
  const [, cursor = ""] = /pass the cursor ([\w-]+) to go on/.exec(text(first)) ?? [];
  if (structured) expect(first.structuredContent).toMatchObject({ truncated: true, nextCursor: cursor, filesMatched: 2 });
  expect(text(await call("search_file_contents", { ...path, limit: 2, cursor }))).toBe(`${at("sub/b.md")}:2: TODO`);
  expect(await failure("search_file_contents", { ...path, include: ["*.md"], cursor })).toContain("does not belong to this call");
  expect(await failure("search_file_contents", { path: folder, pattern: "(" })).toMatch(/regex parse error[^]*unclosed group/);
  expect(await failure("search_file_contents", { path: `${folder}/../../..`, pattern: "x" })).toMatch(/^Access denied/);
});

test("PROG-03 PROG-04 reports the progress of search_file_contents", async () => {
  await using folder = tempFolder(CODE);
  await using wired = await connectTo(await targetOf({ directories: [folder.path] }));
  const received: number[] = [];
  await wired.client.call(
    "search_file_contents",
    { path: folder.path, pattern: "x" },
    { onProgress: ({ progress }) => received.push(progress) },
  );
  expect(received.length).toBeGreaterThan(0);
  expect(received).toEqual(received.toSorted((a, b) => a - b));
});

const SIZED: Tree = { "a.md": "12345", "#1.md": "1", d: { "c.md": "1234567890", "e.ts": "x" } };

everyRevisionOn("search_files gives sizes in bytes, times and totals, largest first", SIZED, async ({ call, at, folder, structured }) => {
  const args = { path: folder, pattern: "**/*.md", details: true };
  const result = await call("search_files", { ...args, sortBy: "size", limit: 2 });
  const [total, notice, ...lines] = text(result).split("\n");
  expect(total).toBe("3 files with 16 bytes");
  expect(notice).toMatch(/^\(there is more: pass the cursor \S+ to go on\)$/);
  expect(lines.map((line) => line.replace(/, \d{4}-\d\d-\d\dT\S+Z$/, ", TIME"))).toEqual([
    `${at("d/c.md")}: 10 bytes, TIME`,
    `${at("a.md")}: 5 bytes, TIME`,
  ]);
  if (structured)
    expect(result.structuredContent).toMatchObject({
      paths: [at("d/c.md"), at("a.md")],
      entries: [{ path: at("d/c.md"), type: "file", size: 10 }, { size: 5 }],
      totals: { files: 3, directories: 0, bytes: 16 },
    });
  expect(text(await call("search_files", { ...args, countOnly: true, pattern: "**", limit: 1 }))).toBe(
    "4 files with 17 bytes, 1 directory",
  );
  expect(text(await call("search_files", { ...args, countOnly: true, pattern: "none" }))).toBe("No matches found");
  const newest = text(await call("search_files", { ...args, sortBy: "time" })).split("\n");
  expect(newest[0]).toMatch(/^3 files with 16 bytes; it is \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ now$/);
  expect(newest[1]).toMatch(/ bytes, \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

everyRevisionOn("takes # at the start of a glob for a name", SIZED, async ({ call, at, folder }) => {
  expect(text(await call("search_files", { path: folder, pattern: "#*.md" }))).toBe(at("#1.md"));
  expect(text(await call("search_file_contents", { path: folder, pattern: "1", include: ["#*"], outputMode: "files" }))).toBe(at("#1.md"));
  expect(text(await call("search_files", { path: folder, pattern: "**", excludePatterns: ["#*"], type: "file" }))).not.toContain("#1");
});

// The deviation `empty-search`.
everyRevisionOn("says in an empty answer what a glob would find at any depth", SIZED, async ({ client, at, folder }) => {
  const found = async (pattern: string, more: object = {}) =>
    (await client.call("search_files", { path: folder, pattern, ...more })).content.map((block) =>
      block.type === "text" ? block.text : "",
    );
  expect(await found("*.ts")).toEqual(["No matches found", `[3 entries looked at; **/*.ts finds ${at("d/e.ts")}]`]);
  expect(await found("**/*.js")).toEqual(["No matches found", "[5 entries looked at]"]);
  expect(await found("**/*.js", { respectGitignore: true })).toEqual([
    "No matches found",
    "[5 entries looked at, ignored ones left out (see respectGitignore)]",
  ]);
});

test("names in an empty answer what has a text in its name, and ignored files last", async () => {
  await onServedFolder(
    { revision: "2025-11-25" },
    {
      ".gitignore": "dist\n",
      dist: { "bundle.js": "", "only.css": "" },
      docs: { "guide.md": "", MyGuides: {} },
      src: { "a.js": "", "B(1).txt": "" },
    },
    async ({ client, folder, at }) => {
      const hint = async (pattern: string, more: object = {}) =>
        (await client.call("search_files", { path: folder, pattern, ...more })).content
          .map((block) => (block.type === "text" ? block.text : ""))[1]
          ?.split("; ")[1];
      expect(await hint("guide")).toBe(`**/*guide* finds ${at("docs/guide.md")}]`);
      expect(await hint("**/guide")).toBe(`**/*guide* finds ${at("docs/guide.md")}]`);
      expect(await hint("docs/gui")).toBe(`**/docs/*gui* finds ${at("docs/guide.md")}]`);
      expect(await hint("guide.md")).toBe(`**/guide.md finds ${at("docs/guide.md")}]`);
      expect(await hint("GUIDE.md")).toBe(`**/guide.md finds ${at("docs/guide.md")}]`);
      expect(await hint("myguides", { type: "directory" })).toBe(`**/MyGuides finds ${at("docs/MyGuides")}]`);
      expect(await hint("*.js")).toBe(`**/*.js finds ${at("src/a.js")}]`);
      expect(await hint("*.css")).toBe(`**/*.css finds ${at("dist/only.css")}]`);
      expect(await hint("only", { respectGitignore: true })).toBeUndefined();
      for (const pattern of ["README", "b(1)", "[g]uid", "!guid", "/guid"]) expect(await hint(pattern)).toBeUndefined();
    },
  );
});

everyRevisionOn(
  "finds carriage returns by a search for contents",
  { dos: "a\r\nb\r\n", mac: "x\ry\n", unix: "a\n" },
  async ({ call, at, folder }) => {
    const files = async (pattern: string, more: object = {}) =>
      text(await call("search_file_contents", { path: folder, pattern, outputMode: "files", ...more })).split("\n");
    expect(await files(String.raw`\r$`)).toEqual([at("dos")]);
    expect(await files(String.raw`\x0d`)).toEqual([at("dos"), at("mac")]);
    expect(await files("x\ry", { literal: true })).toEqual([at("mac")]);
    expect(await files(String.raw`a\r\nb`, { multiline: true })).toEqual([at("dos")]);
    expect(await files("a$")).toEqual([at("dos"), at("unix")]);
    expect(text(await call("search_file_contents", { path: folder, pattern: String.raw`x\r` }))).toBe(
      `${at("mac")}:1: ${String.raw`x\ry`}`,
    );
  },
);
