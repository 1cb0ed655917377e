/** The four built servers on Node for Windows, started by the client on the same: start, list, read, write, search, move, a query, a memory. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { listTree, tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Reply, Session } from "./support/caller.ts";
import { missingWine, runNode, windowsPath } from "./support/wine.ts";

const moduleAt = (path: string): string => windowsPath(fileURLToPath(new URL(path, import.meta.url)));

const skipReason = await missingWine();

describe("under wine", skipReason === undefined ? {} : { skip: true, meta: { skipReason } }, () => {
  let folder: TempFolder;
  let replies: Record<keyof ReturnType<typeof sessions>, Reply[]>;

  /** `at`: a path of the temporary folder, as Windows names it. */
  const sessions = (at: (path: string) => string) => ({
    files: sessionOf(
      "filesystem",
      [at("top")],
      [
        ["list_directory", { path: at("top") }],
        ["read_text_file", { path: at("top/a.txt") }],
        ["write_file", { path: at("top/new.txt"), content: "oolong tea" }],
        ["edit_file", { path: at("top/a.txt"), edits: [{ oldText: "green", newText: "white" }] }],
        ["search_files", { path: at("top"), pattern: "**/b.txt" }],
        ["search_file_contents", { path: at("top"), pattern: "tea" }],
        ["read_text_file", { path: at("top/NUL") }],
        ["move_file", { source: at("top/sub"), destination: at("top/moved") }],
        ["copy_file", { source: at("top/moved"), destination: at("top/copy"), recursive: true }],
        ["move_file", { source: at("top/new.txt"), destination: at("top/NEW.txt") }],
      ],
    ),
    sqlite: sessionOf(
      "sqlite",
      ["--db-path", at("tea.db")],
      [
        ["write_query", { query: "create table tea (name text, cups int)" }],
        ["write_query", { query: "insert into tea values ('green', 2), ('black', 3)" }],
        ["read_query", { query: "select sum(cups) as cups from tea" }],
      ],
    ),
    memory: sessionOf(
      "memory",
      ["--db", at("memory.jsonl")],
      [
        ["create_entities", { entities: [{ name: "Ada", entityType: "person", observations: ["likes tea"] }] }],
        ["search_nodes", { query: "tea" }],
      ],
    ),
    git: sessionOf("git", ["--git", at("none.exe"), at("top")], []),
  });

  beforeAll(async () => {
    folder = tempFolder({ top: { "a.txt": "green tea\r\n", sub: { deep: { "b.txt": "black tea" } } } });
    const at = (path: string): string => windowsPath(folder.at(path));
    const all = sessions(at);
    writeFileSync(folder.at("input.json"), JSON.stringify(all));
    await runNode([moduleAt("./support/caller.ts"), at("input.json"), at("output.json")]);
    replies = JSON.parse(readFileSync(folder.at("output.json"), "utf8")) as typeof replies; // written by the caller
  });
  afterAll(() => folder?.[Symbol.asyncDispose]());

  test("filesystem lists, reads, writes, edits, searches, moves and copies", () => {
    expect(replies.files).toEqual([
      expect.stringContaining("search_files"),
      "[FILE] a.txt\n[DIR] sub",
      expect.stringContaining("green tea"),
      expect.stringContaining("new.txt"),
      expect.stringContaining("white tea"),
      expect.stringContaining("b.txt"),
      expect.stringMatching(/white tea[^]*black tea/),
      expect.stringContaining("Not a plain file name on Windows"),
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^Successfully/)),
    ]);
    expect(folder.read("top/a.txt")).toBe("white tea\r\n");
    expect(Object.keys(listTree(folder.at("top"))).toSorted()).toEqual([
      "NEW.txt",
      "a.txt",
      "copy/",
      "copy/deep/",
      "copy/deep/b.txt",
      "moved/",
      "moved/deep/",
      "moved/deep/b.txt",
    ]);
  });

  test("sqlite writes and queries", () => {
    expect([replies.sqlite[0], replies.sqlite.at(-1)]).toEqual([expect.stringContaining("read_query"), expect.stringMatching(/\b5\b/)]);
  });

  test("memory remembers and finds", () => {
    expect(replies.memory.at(-1)).toContain("likes tea");
    expect(folder.read("memory.jsonl")).toContain("likes tea");
  });

  test("git names the program that is missing", () => {
    expect(replies.git).toEqual([expect.stringMatching(/--git Z:\\.*none\.exe is not an executable file: name the git program/)]);
  });
});

function sessionOf(server: string, args: readonly string[], calls: Session["calls"]): Session {
  return { args: [moduleAt(`../../../servers/${server}/dist/bin.js`), ...args], calls };
}
