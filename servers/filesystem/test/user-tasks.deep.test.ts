// Twelve tasks of a user, worked on with the texts of tools and replies alone: calls and bytes. tooling/docs/user-tasks.md has the figures.
import { readFileSync, utimesSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";
import { connectTo, tempFolder, type Tree } from "@oarlock/testing";
import { expect, test } from "vitest";
import { text } from "./support/served-folder.ts";
import { targetOf } from "./support/target.ts";

const MIB = 1024 * 1024;
/** More than these is a step back. */
const MAX_CALLS = 30;
const MAX_BYTES = 20_000;

const block = (value: string) => `if (ready) {\n  start(${value});\n}\n`;
const LOG_LINE = "2026-11-27T10:00:00Z INFO request served in 12 ms by worker\n";
const log = (mib: number, bad: string) => {
  const half = LOG_LINE.repeat(Math.ceil((mib * MIB) / 2 / LOG_LINE.length));
  return `${half}${bad}\n${half}`;
};
const SOURCES = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [
    `module${at}.ts`,
    `import { fetchUser } from "./user";\nfetchUser(${at});\nconst prefetchUsers = ${at};\n`,
  ]),
);
const TREE: Tree = {
  app: { ...SOURCES, "user.ts": "export function fetchUser() {}\n// TODO: cache\n", "todo.md": "TODO: write\n" },
  logs: { "app.log": log(60, "2026-11-27T10:30:00Z ERROR disk full on /data"), "audit.log": log(50, "token=s3cret user=eve") },
  dos: {
    "a.txt": "a\r\nb\r\n",
    "b.txt": Buffer.from("\ufeffa\r\nb\r\n", "utf16le"),
    "c.txt": Buffer.from("caf\u00e9\r\n", "latin1"),
    "d.txt": "\ufeffa\r\n",
    "e.txt": Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from("a\r\n", "utf16le").swap16()]),
  },
  "blocks.js": block("1").repeat(4),
  "data.json": `[${Array.from({ length: 7000 }, (_, at) => `{"id":${at}}`).join(",")}]`,
  conf: { "old.ini": "a=1\n", "new.ini": "a=2" },
};

test("solves twelve tasks in few calls and bytes", async () => {
  await using folder = tempFolder({ root: TREE, state: {} });
  utimesSync(folder.at("root/conf/old.ini"), 1, 1);
  const target = await targetOf({ directories: [folder.at("root")], stateHome: folder.at("state"), toolsets: ["default", "bulk"] });
  await using wired = await connectTo(target, { revision: "2025-11-25" });
  const tally: { task: string; calls: number; bytes: number }[] = [];
  let current = { task: "", calls: 0, bytes: 0 };
  const task = (name: string) => void tally.push((current = { task: name, calls: 0, bytes: 0 }));
  const call = async (tool: string, args: Json): Promise<string> => {
    const result = await wired.client.call(tool, args);
    const reply = text(result);
    expect(result.isError, reply).toBeUndefined();
    current.calls += 1;
    current.bytes += Buffer.byteLength(reply);
    return reply;
  };
  const at = (name: string) => folder.at("root", name);

  task("rename a function over a project");
  const rename = { path: at("app"), pattern: "fetchUser", replaceWith: "loadUser", wholeWord: true };
  expect(await call("replace_in_files", { ...rename, dryRun: true })).toMatch(/^Would replace 41 matches in 21 files:/);
  expect(await call("replace_in_files", rename)).toMatch(/^Replaced 41 matches in 21 files:/);
  expect(folder.read("root/app/module3.ts")).toContain("prefetchUsers");

  task("find an error in a log of 60 MB");
  expect(await call("search_file_contents", { path: at("logs/app.log"), pattern: "ERROR", contextLines: 1 })).toContain("disk full");

  task("convert line ends in five encodings");
  const dos = at("dos");
  const listed = await call("list_directory", { path: dos });
  const [path = "", ...paths] = [...listed.matchAll(/\[FILE\] (\S+)/g)].map(([, name]) => at(`dos/${name}`));
  expect(await call("edit_file", { path, paths, lineEnding: "lf" })).toMatch(/^Converted 7 line endings to LF in 5 files\./);

  task("change one of four equal blocks");
  const found = await call("search_file_contents", { path: at("blocks.js"), pattern: "start(1)", literal: true });
  const [, , third = ""] = [...found.matchAll(/blocks\.js:(\d+):/g)].map(([, line]) => line);
  await call("edit_file", { path: at("blocks.js"), edits: [{ oldText: "start(1)", newText: "start(3)" }], lines: third });
  expect(folder.read("root/blocks.js")).toBe(block("1").repeat(2) + block("3") + block("1"));

  task("name the five largest files");
  const largest = await call("search_files", {
    path: folder.at("root"),
    pattern: "**",
    type: "file",
    sortBy: "size",
    details: true,
    limit: 5,
  });
  expect(largest).toMatch(/app\.log: \d+ bytes.*\n.*audit\.log: \d+ bytes/);

  task("list the TODOs");
  expect(await call("search_file_contents", { path: at("app"), pattern: "TODO" })).toMatch(/todo\.md:1: TODO: write\n.*user\.ts:2:/);

  task("change a value in a line of 70 KB");
  await call("search_file_contents", { path: at("data.json"), pattern: '"id":5000\\b' });
  expect(await call("edit_file", { path: at("data.json"), edits: [{ oldText: '"id":5000}', newText: '"id":-1}' }] })).toContain('"id":-1');

  task("remove a token from a log of 50 MB");
  const token = await call("search_file_contents", { path: at("logs/audit.log"), pattern: "token=\\S+" });
  const [, line = ""] = /audit\.log:(\d+):/.exec(token) ?? [];
  await call("edit_file", { path: at("logs/audit.log"), edits: [{ oldText: "s3cret", newText: "***" }], lines: line });
  expect(readFileSync(at("logs/audit.log")).includes("s3cret")).toBe(false);

  task("take the last change back");
  await call("undo_change", {});
  expect(readFileSync(at("logs/audit.log")).includes("s3cret")).toBe(true);

  task("count the TypeScript files and their bytes");
  expect(await call("search_files", { path: folder.at("root"), pattern: "**/*.ts", countOnly: true })).toMatch(/^21 files with \d+ bytes/);

  task("move a module and mend its imports");
  await call("move_file", { source: at("app/user.ts"), destination: at("app/people.ts") });
  expect(await call("replace_in_files", { path: at("app"), pattern: '"./user"', replaceWith: '"./people"' })).toMatch(
    /^Replaced 20 matches/,
  );

  task("add a line to the newest configuration");
  const newest = await call("search_files", { path: at("conf"), pattern: "*.ini", sortBy: "time", limit: 1 });
  const [, name = ""] = /(\S*new\.ini)/.exec(newest) ?? [];
  await call("write_file", { path: name, content: "b=3\n", mode: "append" });
  expect(readFileSync(name, "utf8")).toMatch(/a=2\n?b=3\n/);

  const sum = (of: "calls" | "bytes") => tally.reduce((total, entry) => total + entry[of], 0);
  const rows = tally.map((entry) => `${entry.task}: ${entry.calls} calls, ${entry.bytes} bytes`).join("\n");
  console.info(`${rows}\n${sum("calls")} calls, ${sum("bytes")} bytes`);
  expect(sum("calls")).toBeLessThanOrEqual(MAX_CALLS);
  expect(sum("bytes")).toBeLessThanOrEqual(MAX_BYTES);
});
