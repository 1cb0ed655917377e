/** What is done to the four servers: calls of their tools, changes that are watched, and calls that are cancelled. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { MODERN, STATEFUL } from "../load/clients.ts";
import { succeeds } from "../load/expect.ts";
import { cancelled, watched } from "../load/kit.ts";
import type { Domain } from "./domain.ts";

const FILES = 300;

/** Files that are read, written, searched and watched. */
const filesystem: Domain = {
  name: "filesystem",
  revision: STATEFUL,
  prepare(folder) {
    for (let at = 0; at < FILES; at++) {
      folder.write({ [`d${at % 10}/f${at}.txt`]: Array.from({ length: 50 }, (_, line) => `line ${line} of ${at}`).join("\n") });
    }
    folder.write({ "large.txt": "some text that is long\n".repeat(40_000), watched: { "a.txt": "first" } });
    return ["--allow-delete", "--no-trash", folder.path];
  },
  killed: (folder) => ({ name: "directory_tree", args: { path: folder.path } }),
  calls: ({ path, at }) => ({
    read: ["read_text_file", { path: at("d1/f1.txt") }, "line 3"],
    "read much": ["read_text_file", { path: at("large.txt") }],
    several: ["read_multiple_files", { paths: [1, 11, 21].map((file) => at(`d1/f${file}.txt`)) }],
    list: ["list_directory", { path: at("d2") }],
    tree: ["directory_tree", { path }, "f299"],
    find: ["search_files", { path, pattern: "**/f12*.txt" }],
    grep: ["search_file_contents", { path, pattern: "line 7 of 1\\d" }, "line 7"],
    info: ["get_file_info", { path: at("large.txt") }],
  }),
  refused: ({ at }) => ({
    "not allowed": ["read_text_file", { path: "/etc/passwd" }],
    "not there": ["read_text_file", { path: at("nowhere.txt") }],
  }),
  works: (folder) => ({
    "grep, cancelled": (client) => cancelled(client, "search_file_contents", { path: folder.path, pattern: "line" }, 1),
    "write, edit, move, delete": async (client) => {
      const [path, other] = [folder.at(`${randomUUID()}.txt`), folder.at(`${randomUUID()}.txt`)];
      await succeeds(client.call("write_file", { path, content: "one\ntwo\nthree\n" }));
      await succeeds(client.call("edit_file", { path, edits: [{ oldText: "two", newText: "2" }] }));
      await succeeds(client.call("move_file", { source: path, destination: other }));
      await succeeds(client.call("delete_file", { path: other }));
    },
    "folder copied and deleted": async (client) => {
      const destination = folder.at(randomUUID());
      await succeeds(client.call("copy_file", { source: folder.at("d3"), destination, recursive: true }));
      await succeeds(client.call("delete_file", { path: destination, recursive: true }));
    },
    watched: async (client) => {
      const path = folder.at(`watched/${randomUUID()}.txt`);
      const write = (content: string) => succeeds(client.call("write_file", { path, content }));
      await write("before");
      await watched(client, pathToFileURL(path).href, () => write("after, which is longer"));
      await succeeds(client.call("delete_file", { path }));
    },
    resource: async (client) => void (await client.read(pathToFileURL(folder.at("d1/f1.txt")).href)),
  }),
};

const COMMITS = 40;

/** By the git of this machine, which knows nothing of its user here. */
function makeRepository(path: string): void {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=main"];
  const run = (args: readonly string[], input = ""): void =>
    void execFileSync("git", ["-C", path, ...who, ...args], { input, stdio: ["pipe", "ignore", "ignore"] });
  mkdirSync(path);
  run(["init"]);
  const commits = Array.from({ length: COMMITS }, (_, at) => {
    const text = Array.from({ length: 60 }, (_line, line) => `line ${line} since ${line % (at + 1)}\n`).join("");
    const say = `change ${at}`;
    const head = `commit refs/heads/main\ncommitter Ada <ada@example.com> ${1_700_000_000 + at * 60} +0000\ndata ${say.length}\n${say}\n`;
    return `${head}M 644 inline a.txt\ndata ${text.length}\n${text}\nM 644 inline d/f${at}.txt\ndata 6\nhello\n\n`;
  });
  run(["fast-import", "--quiet"], commits.join(""));
  run(["reset", "--hard", "main"]);
  writeFileSync(`${path}/a.txt`, "changed\n");
}

/** A repository that is looked at, staged in and watched: a git process for nearly each act. */
const git: Domain = {
  name: "git",
  revision: MODERN,
  prepare(folder) {
    if (!existsSync(folder.at("clone"))) makeRepository(folder.at("clone"));
    return ["--repository", folder.at("clone")];
  },
  killed: () => ({ name: "git_log", args: {} }),
  calls: () => ({
    status: ["git_status", {}, "a.txt"],
    log: ["git_log", { max_count: 20 }, "change 39"],
    show: ["git_show", { revision: "HEAD~3" }],
    diff: ["git_diff", { target: "HEAD~5" }],
    unstaged: ["git_diff_unstaged"],
    blame: ["git_blame", { path: "a.txt", revision: "HEAD" }],
    grep: ["git_grep", { pattern: "hello" }],
    branches: ["git_branch", {}, "main"],
  }),
  refused: () => ({ "no such revision": ["git_show", { revision: "nowhere" }] }),
  works: (folder) => ({
    cancelled: (client) => cancelled(client, "git_log", { max_count: 40, stat: true }, 1),
    // Two at a time may be in each other's way, which the tool says.
    "add and reset": async (client) => {
      await client.call("git_add", { files: ["a.txt"] });
      await client.call("git_reset");
    },
    watched: async (client) => {
      const { uri } = (await Array.fromAsync(client.resources())).find((one) => one.uri.endsWith("/status")) ?? { uri: "none" };
      const file = folder.at(`clone/${randomUUID()}.txt`);
      await watched(client, uri, async () => writeFileSync(file, "new"));
      rmSync(file);
    },
    resource: async (client) => {
      const [first] = await Array.fromAsync(client.resources());
      await client.read(first?.uri ?? "none");
    },
  }),
};

const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

/** A database that is read, written and watched, with statements that never end: their processes are killed. */
const sqlite: Domain = {
  name: "sqlite",
  revision: MODERN,
  prepare(folder) {
    if (!existsSync(folder.at("soak.db"))) {
      const database = new DatabaseSync(folder.at("soak.db"));
      database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, n REAL);
        WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 3000) INSERT INTO item SELECT i, 'item ' || i, i * 1.5 FROM k;`);
      database.close();
    }
    return ["--read-write", `--insights=${folder.at("insights.md")}`, folder.at("soak.db")];
  },
  killed: () => ({ name: "read_query", args: { query: ENDLESS } }),
  calls: () => ({
    "one row": ["read_query", { query: "SELECT name FROM item WHERE id = 7" }, "item 7"],
    rows: ["read_query", { query: "SELECT * FROM item", limit: 500 }],
    sum: ["read_query", { query: "SELECT count(*), sum(n) FROM item" }],
    tables: ["list_tables"],
    table: ["describe_table", { table_name: "item" }],
    plan: ["explain_query", { query: "SELECT * FROM item WHERE name = 'x'" }],
    search: ["search_text", { query: "item 299" }],
  }),
  refused: () => ({
    "past its time": ["read_query", { query: ENDLESS, timeout_ms: 150 }],
    "no such table": ["read_query", { query: "SELECT * FROM nowhere" }],
  }),
  works: () => ({
    "insert and delete, alone and in a transaction": async (client) => {
      const name = randomUUID();
      const statements = [`INSERT INTO item (name) VALUES ('${name}')`, `DELETE FROM item WHERE name = '${name}'`].map((query) => ({
        query,
      }));
      for (const statement of statements) await succeeds(client.call("write_query", statement));
      await succeeds(client.call("run_transaction", { statements }));
    },
    cancelled: (client) => cancelled(client, "read_query", { query: ENDLESS }, 60),
    watched: (client) =>
      watched(client, "sqlite://soak/table/item/rows", () =>
        succeeds(client.call("write_query", { query: "UPDATE item SET n = n + 1 WHERE id = 3" })),
      ),
    resource: async (client) => void (await client.read("sqlite://soak/schema")),
  }),
};

const ENTITIES = 40;
const nameOf = (turn: number): string => `entity ${turn % ENTITIES}`;

/** A graph of fixed size that is read, changed and watched. */
const memory: Domain = {
  name: "memory",
  revision: STATEFUL,
  prepare: (folder) => ["--db", folder.at("memory.db")],
  killed: () => ({ name: "read_graph", args: {} }),
  calls: () => ({
    graph: ["read_graph", {}, "entit"],
    search: ["search_nodes", { query: "there" }],
    open: ["open_nodes", { names: [nameOf(7), nameOf(8)] }],
    stats: ["graph_stats"],
  }),
  works: () => ({
    create: async (client, turn) => {
      const entities = Array.from({ length: 5 }, (_, at) => ({ name: nameOf(turn + at), entityType: "thing", observations: ["is there"] }));
      await succeeds(client.call("create_entities", { entities }));
    },
    relate: async (client, turn) => {
      const relations = [{ from: nameOf(turn), to: nameOf(turn + 1), relationType: "knows" }];
      await succeeds(client.call("create_relations", { relations, createMissing: true }));
    },
    "observe and forget": async (client, turn) => {
      const entityName = nameOf(turn);
      const contents = [`was seen at turn ${turn % 100}`];
      await succeeds(client.call("add_observations", { observations: [{ entityName, contents }], createMissing: true }));
      await succeeds(client.call("delete_observations", { deletions: [{ entityName, observations: contents }] }));
    },
    cancelled: (client) => cancelled(client, "search_nodes", { query: "entity" }, 0),
    watched: async (client, turn) => {
      const entityName = nameOf(turn);
      const observe = (text: string) =>
        succeeds(client.call("add_observations", { observations: [{ entityName, contents: [text] }], createMissing: true }));
      await observe("waits");
      await watched(client, `memory://entity/${encodeURIComponent(entityName)}`, () => observe(`changed at ${Math.random()}`));
    },
    delete: async (client, turn) => void (await succeeds(client.call("delete_entities", { entityNames: [nameOf(turn)], purge: false }))),
    resource: async (client) => void (await client.read("memory://stats")),
  }),
};

export const DOMAINS: readonly Domain[] = [filesystem, git, sqlite, memory];
