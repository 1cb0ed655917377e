/** Work of the servers that must grow at most linearly with their data. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { CONSTANT, LINEAR } from "./growth.ts";
import type { Serves, Serving } from "./served-data.ts";

export interface ServerCase extends Serves {
  size: number;
  bound: number;
  act(serving: Serving, size: number): Promise<unknown>;
}

const lines = (count: number, text: (at: number) => string): string => Array.from({ length: count }, (_, at) => `${text(at)}\n`).join("");

// ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const filesystem = (fill: Serves["fill"]): Serves => ({ server: "filesystem", fill });

const FOLDERS = 40;

const folders = filesystem((folder, size) => {
  for (let at = 0; at < FOLDERS; at++) mkdirSync(folder.at(`d${at}`));
  for (let at = 0; at < size; at++) writeFileSync(folder.at(`d${at % FOLDERS}/f${at}.txt`), `hello ${at}\n`);
  return [folder.path];
});

const longFile = filesystem((folder, size) => {
  folder.write({ "long.txt": lines(size, (at) => `line ${at} of a long file`) });
  return [folder.path];
});

export const FILES: Record<string, ServerCase> = {
  "a tree of n files": { ...folders, size: 1000, bound: LINEAR, act: ({ call, folder }) => call("directory_tree", { path: folder.path }) },
  "a search by name among n files": {
    ...folders,
    size: 1000,
    bound: LINEAR,
    act: ({ call, folder }) => call("search_files", { path: folder.path, pattern: "**/*1*.txt" }),
  },
  "a search by content in n files": {
    ...folders,
    size: 1000,
    bound: LINEAR,
    act: ({ call, folder }) => call("search_file_contents", { path: folder.path, pattern: "hello 77" }),
  },
  "the last lines of n": {
    ...longFile,
    size: 20_000,
    bound: LINEAR,
    act: ({ call, folder }) => call("read_text_file", { path: folder.at("long.txt"), tail: 20 }),
  },
  "an edit in n lines": {
    ...longFile,
    size: 5000,
    bound: LINEAR,
    act: ({ call, folder }, size) => {
      const oldText = `line ${size - 2} of a long file`;
      return call("edit_file", { path: folder.at("long.txt"), edits: [{ oldText, newText: "changed" }], dryRun: true });
    },
  },
};

// ── git ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Commits that each change one file; the work tree has as many new files. */
const repository: Serves = {
  server: "git",
  fill(folder, size) {
    const path = folder.at("clone");
    const git = (args: readonly string[], input = ""): void =>
      void execFileSync("git", ["-C", path, "-c", "init.defaultBranch=main", ...args], { input, stdio: ["pipe", "ignore", "ignore"] });
    mkdirSync(path);
    git(["init"]);
    const commit = (at: number, more = ""): string => {
      const head = `commit refs/heads/main\ncommitter A <a@example.com> ${1_700_000_000 + at} +0000\ndata 6\nchange\n`;
      return `${head}M 644 inline a.txt\ndata ${String(at).length}\n${at}\n${more}\n`;
    };
    const long = lines(size, (at) => `line ${at}`);
    const all = Array.from({ length: size }, (_, at) =>
      commit(at, at === 0 ? `M 644 inline long.txt\ndata ${long.length}\n${long}\n` : ""),
    );
    git(["fast-import", "--quiet"], all.join(""));
    git(["reset", "--hard", "main"]);
    writeFileSync(`${path}/long.txt`, long.replaceAll("line", "row"));
    for (let at = 0; at < size; at++) writeFileSync(`${path}/new${at}.txt`, "");
    return ["--repository", path];
  },
};

export const HISTORY: Record<string, ServerCase> = {
  "a log of n commits": { ...repository, size: 250, bound: LINEAR, act: ({ call }, size) => call("git_log", { max_count: size }) },
  "a status of n new files": { ...repository, size: 250, bound: LINEAR, act: ({ call }, size) => call("git_status", { limit: size }) },
  "a diff of n lines": { ...repository, size: 250, bound: LINEAR, act: ({ call }) => call("git_diff_unstaged", {}) },
  "a blame of n lines": {
    ...repository,
    size: 250,
    bound: LINEAR,
    act: ({ call }) => call("git_blame", { path: "long.txt", revision: "HEAD" }),
  },
};

// ── rows ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const table: Serves = {
  server: "sqlite",
  fill(folder, size) {
    const database = new DatabaseSync(folder.at("rows.db"));
    database.exec(`CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, n REAL);
      WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < ${size}) INSERT INTO item SELECT i, 'item ' || i, i * 1.5 FROM k;`);
    database.close();
    return ["--read-write", folder.at("rows.db")];
  },
};

/** The same for two cases: tables of one size share a server. */
const ROWS_OF_TABLE = 5000;

export const ROWS: Record<string, ServerCase> = {
  "n rows": {
    ...table,
    // Four times as many are no more than a reply may have.
    size: 2000,
    bound: LINEAR,
    act: ({ call }, size) => call("read_query", { query: "SELECT * FROM item", limit: size }),
  },
  "one row among n": {
    ...table,
    size: ROWS_OF_TABLE,
    bound: CONSTANT,
    act: ({ call }) => call("read_query", { query: "SELECT * FROM item WHERE id = 77" }),
  },
  "a transaction of n / 200 statements": {
    ...table,
    size: ROWS_OF_TABLE,
    bound: LINEAR,
    act: ({ call }, size) =>
      call("run_transaction", {
        statements: Array.from({ length: size / 200 }, (_, at) => ({ query: `UPDATE item SET n = ${at} WHERE id = ${at}` })),
      }),
  },
};

// ── graphs ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const nameOf = (at: number): string => `entity ${at} of many`;
const entity = (at: number): object => ({
  name: nameOf(at),
  entityType: `kind ${at % 7}`,
  observations: [`was seen on day ${at}`, "is there"],
});

let nextEntity = 1_000_000;
/** None of them is there yet. */
const newEntities = (size: number): object[] => Array.from({ length: size }, () => entity(nextEntity++));

const empty: Serves = { server: "memory", fill: (folder) => ["--db", folder.at("graph.db")] };

/** A file that the server imports at its start. */
const graph: Serves = {
  server: "memory",
  fill(folder, size) {
    const relation = (at: number): object => ({
      type: "relation",
      from: nameOf(at),
      to: nameOf((at * 17 + 1) % size),
      relationType: "knows",
    });
    folder.write({
      "graph.jsonl":
        lines(size, (at) => JSON.stringify({ type: "entity", ...entity(at) })) + lines(size, (at) => JSON.stringify(relation(at))),
    });
    return ["--db", folder.at("graph.jsonl")];
  },
};

async function allPages({ call }: Serving, name: string, args: object): Promise<void> {
  for (let cursor: unknown, first = true; first || typeof cursor === "string"; first = false) {
    ({ nextCursor: cursor } = await call(name, { ...args, ...(cursor !== undefined && { cursor }) }));
  }
}

export const GRAPHS: Record<string, ServerCase> = {
  "n entities created in one call": {
    ...empty,
    size: 500,
    bound: LINEAR,
    act: ({ call }, size) => call("create_entities", { entities: newEntities(size) }),
  },
  "one more entity among n": {
    ...graph,
    size: 1000,
    bound: CONSTANT,
    act: ({ call }) => call("create_entities", { entities: newEntities(1) }),
  },
  "a search among n entities": { ...graph, size: 1000, bound: LINEAR, act: ({ call }) => call("search_nodes", { query: "day 77" }) },
  "all pages of n entities": { ...graph, size: 1000, bound: LINEAR, act: (serving) => allPages(serving, "read_graph", { limit: 250 }) },
  "a fifth of n entities opened by name": {
    ...graph,
    size: 1000,
    bound: LINEAR,
    act: ({ call }, size) => call("open_nodes", { names: Array.from({ length: size / 5 }, (_, at) => nameOf(at)) }),
  },
};
