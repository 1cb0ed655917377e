/** How each server is tried once it is installed: what it is started with, and a call with its answer. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TempFolder } from "@oarlock/testing";

export interface Trial {
  /** Words of the command line, in a folder made for this. */
  args(folder: TempFolder): string[];
  /** Further words, with which it offers all that it can offer. */
  everything?(folder: TempFolder): string[];
  readonly call: { readonly name: string; args(folder: TempFolder): Record<string, unknown>; readonly text: string };
  /** Values for arguments, by their names, so that most calls have something to do. */
  words(folder: TempFolder, tool: string): Record<string, unknown>;
}

export const TRIALS: Readonly<Record<string, Trial>> = {
  filesystem: {
    args: (folder) => {
      folder.write({ "hello.txt": "Hello from a file" });
      return [folder.path];
    },
    call: { name: "read_text_file", args: (folder) => ({ path: folder.at("hello.txt") }), text: "Hello from a file" },
    words: (folder, tool) => ({
      path: /director|search/.test(tool) ? folder.path : folder.at("hello.txt"),
      paths: [folder.at("hello.txt")],
      source: folder.at("hello.txt"),
      destination: folder.at("copy.txt"),
      pattern: "from*",
      edits: [{ oldText: "Hello", newText: "Good day" }],
    }),
  },
  git: {
    args: (folder) => {
      if (!existsSync(folder.at("clone"))) makeClone(folder.at("clone"));
      return ["--repository", folder.at("clone")];
    },
    call: { name: "git_log", args: () => ({}), text: "A first commit" },
    words: () => ({
      revision: "HEAD",
      path: "a.txt",
      target: "HEAD",
      pattern: "Hello",
      files: ["a.txt"],
      action: "list",
      message: "More",
      branch_name: "b",
    }),
  },
  sqlite: {
    args: (folder) => {
      if (!existsSync(folder.at("shop.db"))) makeDatabase(folder.at("shop.db"));
      return ["--read-write", folder.at("shop.db")];
    },
    everything: (folder) => {
      makeDatabase(folder.at("other.db"));
      return [folder.at("other.db")];
    },
    call: { name: "read_query", args: () => ({ query: "SELECT name FROM fruit" }), text: "apple" },
    words: (_folder, tool) => ({
      query:
        tool === "read_query" || tool === "explain_query"
          ? "SELECT * FROM fruit"
          : tool === "search_text"
            ? "apple"
            : tool === "create_table"
              ? "CREATE TABLE t (a)"
              : "INSERT INTO fruit VALUES ('pear')",
      table_name: "fruit",
      insight: "There are apples",
      statements: [{ query: "INSERT INTO fruit VALUES ('plum')" }],
    }),
  },
  memory: {
    args: (folder) => ["--db", folder.at("memory.db")],
    call: {
      name: "create_entities",
      // A new one each time: one that is there is not made again.
      args: () => ({ entities: [{ name: `Ada ${randomUUID()}`, entityType: "person", observations: ["writes programs"] }] }),
      text: "Ada",
    },
    words: (_folder, tool) => ({
      query: "Ada",
      names: ["Ada"],
      start: "Ada",
      entityName: "Ada",
      entities: [{ name: "Ada", entityType: "person", observations: ["writes programs"] }],
      relations: [{ from: "Ada", to: "Ada", relationType: "knows" }],
      observations: [{ entityName: "Ada", contents: ["likes engines"] }],
      deletions: [{ entityName: "Ada", observations: ["likes engines"] }],
      updates: [{ name: "Ada", entityType: "countess" }],
      entityNames: tool === "delete_entities" ? ["Nobody"] : [],
    }),
  },
};

/** By the git of this machine, which knows nothing of its user here. */
function makeClone(path: string): void {
  const git = (...args: string[]): void => {
    const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=main"];
    execFileSync("git", ["-C", path, ...who, ...args], { stdio: "ignore" });
  };
  mkdirSync(path);
  git("init");
  writeFileSync(join(path, "a.txt"), "Hello\n");
  git("add", "a.txt");
  git("commit", "--message=A first commit");
  for (const [key, value] of [
    ["user.name", "Ada"],
    ["user.email", "ada@example.com"],
  ] as const)
    git("config", key, value);
}

/** By the SQLite that Node brings. */
function makeDatabase(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE fruit (name TEXT); INSERT INTO fruit VALUES ('apple')");
  database.close();
}
