// search_file_contents in every revision over every transport: what is said, pages, progress, roots, and a client that goes away.
import { linkSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connectTo, startRaw, tempFolder, type Tree } from "@oarlock/testing";
import { expect, test } from "vitest";
import { everyCell, text } from "../support/cells.ts";
import { soon } from "../support/soon.ts";
import { bin, targetOf } from "../support/target.ts";

const CODE: Tree = { "a.ts": "const a = 1;\n// TODO: grün\nexport { a };\n", sub: { "b.md": "todo\nTODO\n" } };

everyCell(
  "servers#896 servers#735 servers#1067 servers#3419 search_files says that it looks at names, and what looks into files finds the lines",
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

everyCell(
  "matches of search_file_contents may span lines, and it says how many files were searched",
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

everyCell(
  "servers#335 a snippet of a large file is found and read without the rest",
  { big: `${"hay\n".repeat(50_000)}needle\n` },
  async ({ call, at }) => {
    expect(text(await call("search_file_contents", { path: at("big"), pattern: "needle", literal: true }))).toBe(
      `${at("big")}:50001: needle`,
    );
  },
);

everyCell("files, counts and pages of search_file_contents", CODE, async ({ call, failure, at, folder, structured }) => {
  const path = { path: folder, pattern: "todo", caseSensitive: false };
  expect(text(await call("search_file_contents", { ...path, outputMode: "files" }))).toBe(`${at("a.ts")}\n${at("sub/b.md")}`);
  expect(text(await call("search_file_contents", { ...path, outputMode: "count", include: ["*.md"] }))).toBe(`${at("sub/b.md")}: 2`);
  const first = await call("search_file_contents", { ...path, limit: 2 });
  const [, cursor = ""] = /pass the cursor ([\w-]+) to go on/.exec(text(first)) ?? [];
  if (structured) expect(first.structuredContent).toMatchObject({ truncated: true, nextCursor: cursor, filesMatched: 2 });
  expect(text(await call("search_file_contents", { ...path, limit: 2, cursor }))).toBe(`${at("sub/b.md")}:2: TODO`);
  expect(await failure("search_file_contents", { ...path, include: ["*.md"], cursor })).toContain("does not belong to this call");
  expect(await failure("search_file_contents", { path: folder, pattern: "(" })).toMatch(/regex parse error[^]*unclosed group/);
  expect(await failure("search_file_contents", { path: `${folder}/../../..`, pattern: "x" })).toMatch(/^Access denied/);
});

test("PROG-03 PROG-04 search_file_contents tells how far it is", async () => {
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

/** Programs that this process started, as they call themselves. */
const startedBy = (parent: number): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, program = "", ppid] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
        return Number(ppid) === parent ? [`${program} ${pid}`] : [];
      } catch {
        return []; // it has just ended
      }
    });

/** A directory that takes ripgrep a while, and the call that sets it to work. */
function longSearch() {
  const folder = tempFolder({ 0: "the quick brown fox jumps over the lazy dog\n".repeat(500_000) });
  for (let at = 1; at < 3000; at++) linkSync(folder.at("0"), folder.at(String(at)));
  writeFileSync(folder.at("small"), "small\n");
  const args = { path: folder.path, pattern: "\\w+ \\w+ \\w+ [xyz]\\d$" };
  return { folder, call: { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "search_file_contents", arguments: args } } };
}

/** Its process, as soon as there is one. */
async function searcherOf(server: { readonly pid: number }): Promise<string> {
  const [child = ""] = await soon(
    () => startedBy(server.pid).filter((program) => program.startsWith("rg ")),
    (found) => found.length === 1,
    15_000,
  );
  return child.slice(3);
}

test.runIf(process.platform === "linux").each(["notifications/cancelled", "the end of input", "SIGTERM"])(
  "RPC-23 after %s no search is left running",
  async (how) => {
    const { folder, call } = longSearch();
    await using _folder = folder;
    await using server = startRaw(bin([folder.path]));
    await server.handshake();
    void server.send(call);
    const pid = await searcherOf(server);
    if (how === "the end of input") server.end();
    else if (how === "SIGTERM") process.kill(server.pid, "SIGTERM");
    else void server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
    await soon(
      () => readdirSync("/proc").includes(pid),
      (runs) => !runs,
      15_000, // the search itself would take minutes
    );
  },
);

test.runIf(process.platform === "linux")("a search whose process the system kills fails instead of finding nothing", async () => {
  const { folder, call } = longSearch();
  await using _folder = folder;
  await using server = startRaw(bin([folder.path]));
  await server.handshake();
  void server.send(call);
  process.kill(Number(await searcherOf(server)), "SIGKILL");
  expect(await server.until(({ result }) => result !== undefined)).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining("the operating system ended ripgrep") }] },
  });
});
