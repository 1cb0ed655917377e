// Long lines and large files over the wire: parts of a line, diffs and hits around the change, edits of a range of lines.
import { readFileSync } from "node:fs";
import { connectTo, everyRevision, tempFolder, type TempFolder } from "@oarlock/testing";
import type { Json } from "@oarlock/server-kit/protocol";
import { describe, expect, test } from "vitest";
import { everyRevisionOn, text } from "../../support/served-folder.ts";
import { targetOf } from "../../support/target.ts";

const JSON_LINE = `[${Array.from({ length: 7000 }, (_, at) => `{"n":${at}}`).join(",")}]`;

everyRevisionOn("shows a change in a line of 70 KB with its column", { "a.json": JSON_LINE }, async ({ call, at }) => {
  const column = JSON_LINE.indexOf('{"n":5000}') + 6;
  const edits = [{ oldText: '{"n":5000}', newText: '{"n":"five thousand"}' }];
  const reply = text(await call("edit_file", { path: at("a.json"), edits }));
  expect(reply.length).toBeLessThan(850);
  expect(reply.match(/No newline/g)).toHaveLength(1);
  expect(reply).toContain('{"n":"five thousand"}');
  expect(reply).toMatch(new RegExp(`^-….*\\{"n":5000\\}.*… \\[column ${column} of ${JSON_LINE.length}\\]$`, "m"));
  expect(reply).toMatch(new RegExp(`^\\+….*… \\[column ${column} of ${JSON_LINE.length + 11}\\]$`, "m"));
  const found = text(await call("search_file_contents", { path: at("a.json"), pattern: "five thousand" }));
  expect(found).toMatch(new RegExp(`a\\.json:1 \\(column ${column + 1}\\): ….*five thousand.*…$`));
  const part = text(await call("read_text_file", { path: at("a.json"), offset: 1, startColumn: column + 1 }));
  expect(part).toMatch(/^five thousand"\},/);
});

everyRevisionOn("counts instead of a diff where the call wants a summary", { a: "1\n2\n1\n" }, async ({ call, at, structured }) => {
  const args = { path: at("a"), edits: [{ oldText: "1", newText: "one", replaceAll: true }], diff: "summary" };
  const dry = await call("edit_file", { ...args, dryRun: true });
  expect(text(dry)).toBe("Would replace 2 pieces: 2 lines added, 2 removed, from line 1 on.\n");
  const done = await call("edit_file", args);
  expect(text(done)).toMatch(/^Replaced 2 pieces: 2 lines added, 2 removed, from line 1 on\.\n/);
  if (structured) expect(done.structuredContent).toMatchObject({ replacements: 2, additions: 2, deletions: 2, truncated: false });
  const last = await call("edit_file", { ...args, edits: [{ oldText: "2", newText: "two" }] });
  expect(text(last)).toMatch(/^Replaced 1 piece; line 2: two\n/);
});

describe("parts of a line", () => {
  const KINDS: readonly (readonly [string, (line: string) => Buffer])[] = [
    ["utf-8", (line) => Buffer.from(line)],
    ["utf-16le", (line) => Buffer.from(`\ufeff${line}`, "utf16le")],
    ["windows-1252", (line) => Buffer.from(line.replaceAll(/[^\n\u0020-\u00ff]/gu, "ÿ"), "latin1")],
  ];

  test.each(KINDS)("of %s follow each other without a gap, in a small and a large file", async (_kind, encode) => {
    for (const length of [150_000, 5_000_000]) {
      const line = Array.from({ length: length / 10 }, (_, at) => `${String(at).padStart(6, "0")}é😀`)
        .join("")
        .slice(0, length);
      await using folder = tempFolder({
        f: Buffer.concat(
          [encode("first\n"), encode(`${line}\nlast\n`)].map((part, at) => (at === 1 && part[0] === 0xff ? part.subarray(2) : part)),
        ),
      });
      await using wired = await connectTo(await targetOf({ directories: [folder.path] }), { revision: "2025-11-25" });
      const read = async (args: Json) =>
        (await wired.client.call("read_text_file", { path: folder.at("f"), ...args })).structuredContent as unknown as Part;
      const start = await read({ offset: 2 });
      expect(start.content.length).toBeLessThanOrEqual(60_300);
      const next = await read({ offset: 2, startColumn: start.nextColumn! });
      const again = await read({ offset: 2, startColumn: start.nextColumn! - 20, limit: 1 });
      const inside = (part: Part) => part.content.replace(/^\[truncated[^\n]*\n/, "").replace(/\n\[truncated[^\n]*$/, "");
      expect(next.startColumn).toBe(start.nextColumn);
      const whole = inside(start) + inside(next);
      expect(inside(again).slice(0, 200)).toBe(whole.slice(start.nextColumn! - 21, start.nextColumn! + 179));
      expect(start.nextOffset).toBe(3);
    }
  });

  interface Part {
    content: string;
    nextColumn?: number;
    startColumn?: number;
    nextOffset?: number;
  }
});

everyRevisionOn(
  "ends a read before a line that is too long, and says how to read it",
  { f: `short\n${"x".repeat(200_000)}\nend\n`, one: "y".repeat(300_000) },
  async ({ call, at, failure }) => {
    const first = text(await call("read_text_file", { path: at("f") }));
    expect(first).toMatch(/^\[truncated: more follows; go on with offset 2\]\nshort\n/);
    const second = text(await call("read_text_file", { path: at("f"), offset: 2 }));
    expect(second).toMatch(
      /^\[truncated: .* go on with offset 2 and startColumn 60001; the next line is offset 3\]\nx{60000}\n\[truncated\]$/,
    );
    expect(text(await call("read_text_file", { path: at("f"), tail: 1 }))).toMatch(/^end/);
    expect(text(await call("read_text_file", { path: at("one"), tail: 1 })).length).toBeLessThan(61_000);
    expect(text(await call("read_multiple_files", { paths: [at("one")], head: 1 }))).toMatch(/offset 1, startColumn 60001/);
    expect(await failure("read_text_file", { path: at("f"), startColumn: 7 })).toBe(
      "startColumn 7 is past the end of line 1: it has 5 characters.",
    );
    expect(await failure("read_text_file", { path: at("f"), startColumn: 7, head: 1 })).toMatch(/^Cannot combine head or tail/);
  },
);

test("names the true column of a hit behind 4 MiB, in each encoding", async () => {
  const pad = `${"é".repeat(10)}${"x".repeat(5_000_000)}`;
  const line = `${pad}needle${"y".repeat(500)}`;
  const column = pad.length + 1;
  await using folder = tempFolder({
    utf8: `first\n${line}\n${line}\n`,
    mark: `\ufefffirst\n${line}\n`,
    wide: Buffer.from(`\ufefffirst\n${line}\n`, "utf16le"),
    latin1: Buffer.from(`first\n${line}\n`, "latin1"),
  });
  await using wired = await connectTo(await targetOf({ directories: [folder.path] }), { revision: "2025-11-25" });
  for (const [name, encoding] of [["utf8"], ["mark"], ["wide"], ["latin1"], ["latin1", "windows-1252"]] as const) {
    const result = await wired.client.call("search_file_contents", {
      path: folder.at(name),
      pattern: "needle",
      ...(encoding && { encoding }),
    });
    const [first] = (result.structuredContent as { matches: { line: number; column: number; text: string }[] }).matches;
    expect(first, name).toMatchObject({ line: 2, column, text: expect.stringMatching(/^…x{100}needley+…$/) });
  }
});

describe("edits of a range of lines", () => {
  const served = async (folder: TempFolder) => {
    const target = await targetOf({ directories: [folder.at("root")], stateHome: folder.at("state") });
    const wired = await connectTo(target, { revision: "2025-11-25" });
    const edit = async (args: Json) => text(await wired.client.call("edit_file", { path: folder.at("root/f"), ...args }));
    return { wired, edit, [Symbol.asyncDispose]: () => wired[Symbol.asyncDispose]() };
  };

  everyRevision("changes one of four equal blocks", async (revision) => {
    await using folder = tempFolder({ f: "a\nb\n".repeat(4) });
    await using wired = await connectTo(await targetOf({ directories: [folder.path] }), { revision });
    const args = { path: folder.at("f"), edits: [{ oldText: "a\nb", newText: "a\nB" }] };
    await wired.client.call("edit_file", { ...args, lines: "5-6" });
    expect(folder.read("f")).toBe("a\nb\na\nb\na\nB\na\nb\n");
  });

  test("edits a log of 50 MB in place of a read of all of it, with etag, diff and undo", async () => {
    const LINE = "2026-01-01T00:00:00Z INFO a line of the log of this program\n";
    const count = Math.ceil((50 * 1024 * 1024) / LINE.length);
    await using folder = tempFolder({ root: { f: LINE.repeat(count) }, state: {} });
    await using at = await served(folder);
    const path = folder.at("root/f");
    const before = readFileSync(path);
    expect(await at.edit({ edits: [{ oldText: "INFO", newText: "WARN" }] })).toMatch(
      /^File too large: .* pass lines, such as "120-140", to edit only these/,
    );
    const lines = "700000-700002";
    const reply = await at.edit({ edits: [{ oldText: "INFO", newText: "WARN", expectedCount: 3 }], lines });
    expect(reply).toContain("@@ -700000,3 +700000,3 @@");
    const after = readFileSync(path);
    const from = 699_999 * LINE.length;
    expect(after.subarray(0, from).equals(before.subarray(0, from))).toBe(true);
    expect(after.toString("utf8", from, from + 3 * LINE.length)).toBe(LINE.replace("INFO", "WARN").repeat(3));
    expect(after.subarray(from + 3 * LINE.length).equals(before.subarray(from + 3 * LINE.length))).toBe(true);
    expect(await at.edit({ edits: [{ oldText: "", newText: "" }], lines: "1-10", expectedEtag: "f-old" })).toMatch(
      /^Expected the file to have/,
    );
    expect(await at.edit({ edits: [{ oldText: "", newText: "" }], lines: "1-10", diff: "summary" })).toMatch(/0 lines added, 10 removed/);
    expect(readFileSync(path).length).toBe(after.length - 10 * LINE.length);
    await at.wired.client.call("undo_change", {});
    expect(readFileSync(path).equals(after)).toBe(true);
  });

  test("keeps CRLF, the byte order mark and a last line without an end", async () => {
    await using folder = tempFolder({ root: { f: Buffer.from("\ufeff1\r\n2\r\n3\r\n4", "utf16le") }, state: {} });
    await using at = await served(folder);
    await at.edit({ edits: [{ oldText: "", newText: "two\nand more" }], lines: "2" });
    expect(readFileSync(folder.at("root/f"))).toEqual(Buffer.from("\ufeff1\r\ntwo\r\nand more\r\n3\r\n4", "utf16le"));
    await at.edit({ edits: [{ oldText: "", newText: "end" }], lines: "5-" });
    expect(readFileSync(folder.at("root/f"))).toEqual(Buffer.from("\ufeff1\r\ntwo\r\nand more\r\n3\r\nend", "utf16le"));
  });

  test("refuses ranges that are none, and names lines of the file", async () => {
    await using folder = tempFolder({ root: { f: "a\nb\nc\nd\n" }, state: {} });
    await using at = await served(folder);
    const edits = [{ oldText: "x", newText: "y" }];
    for (const lines of ["0", "3-2", "a", "1-2-3", ""]) expect(await at.edit({ edits, lines })).toMatch(/^Invalid lines/);
    expect(await at.edit({ edits, lines: "9-10" })).toMatch(/^lines begins past the end: the file has 4 lines/);
    expect(await at.edit({ edits, lines: "3-4" })).toMatch(/\nThe edit is limited to lines 3-4\.$/);
    const many = [{ oldText: "c", newText: "y" }, ...edits];
    await at.edit({ edits: [{ oldText: "d", newText: "c" }], lines: "3-4" });
    expect(await at.edit({ edits: many, lines: "3-4" })).toMatch(
      /^oldText of edit 1 of 2 is not unique: it occurs 2 times, at lines 3, 4\. /,
    );
    await at.edit({ edits: [{ oldText: "c\nc", newText: "c\nd" }], lines: "3-4" });
    expect(await at.edit({ edits: [{ oldText: "c\ne", newText: "" }], lines: "3-4" })).toContain("- line 4, column 1: ");
    expect(await at.edit({ edits: [{ oldText: "a", newText: "x" }], lines: "2-4" })).toMatch(/^Could not find exact match/);
    expect(await at.edit({ edits: [{ oldText: "", newText: "b" }], lines: "2" })).toMatch(/^No change: lines 2 have the text/);
    expect(folder.read("root/f")).toBe("a\nb\nc\nd\n");
  });
});
