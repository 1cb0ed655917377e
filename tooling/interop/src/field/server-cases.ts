// ServerCase: a server with data for the trial of clients, and the calls of each step.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { builtServer } from "@oarlock-tooling/test-support/built-file";
import { tempFolder } from "@oarlock/testing";

export interface Call {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly shows: RegExp;
}

export interface ServerCase {
  readonly server: "filesystem" | "git" | "sqlite" | "memory";
  /** Makes the data in an empty folder; gives the server's arguments. */
  prepare(folder: string): string[];
  readonly tools: readonly string[];
  readonly call: (folder: string) => Call;
  readonly read: (folder: string) => { uri: string; shows: RegExp };
  readonly error: (folder: string) => Call;
  /** Needs the user's consent: the server elicits it. */
  readonly elicits: (folder: string) => Call;
  /** Takes about as long as a call of this server can. */
  readonly long: (folder: string) => Call;
}

const BOATS = 100_000;

const fixtures = new Map<string, string>();

/** Copies data that take long to make, which happens once. */
function copyInto(folder: string, server: ServerCase["server"], make: (folder: string) => void): void {
  let from = fixtures.get(server);
  if (from === undefined) {
    from = tempFolder().path; // removed when the process exits
    make(from);
    fixtures.set(server, from);
  }
  cpSync(from, folder, { recursive: true });
}

/** Names that take a pattern with several stars a while. */
function plantForest(folder: string): void {
  mkdirSync(folder);
  for (let at = 0; at < 3000; at++) writeFileSync(join(folder, `f${at}-${"abc".repeat(75)}`), "");
}

/** A file that changes in each of many commits: searching its history for a word compares all of them. */
function commitOften(folder: string): void {
  const git = (args: readonly string[], input = ""): unknown => execFileSync("git", ["-C", folder, ...args], { input });
  git(["init", "-q", "-b", "main"]);
  const lines = Array.from({ length: 12_000 }, (_, at) => `line ${at} of the log book\n`);
  const commits = Array.from({ length: 600 }, (_, at) => {
    lines[at * 20] = `entry ${at}\n`;
    const text = lines.join("");
    return `commit refs/heads/main\ncommitter Ann <ann@example.com> ${1_700_000_000 + at} +0000\ndata 8\nEntry${String(at).padStart(3, "0")}\nM 100644 inline log.txt\ndata ${text.length}\n${text}\n`;
  });
  git(["fast-import", "--quiet"], commits.join(""));
  git(["reset", "-q", "--hard"]);
  git(["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "tag", "v1"]);
}

/** A memory of so many boats that its counts take a while. */
function rememberBoats(folder: string): void {
  const lines = Array.from({ length: BOATS }, (_, at) =>
    JSON.stringify({
      type: "entity",
      name: at === 0 ? "Kittiwake" : `Boat ${at}`,
      entityType: "boat",
      observations: [`lies at berth ${at}`, `built in ${1900 + (at % 120)}`],
    }),
  );
  const source = join(folder, "graph.jsonl");
  writeFileSync(source, `${lines.join("\n")}\n`);
  execFileSync(process.execPath, builtServer("memory", "import", source, "--db", join(folder, "memory.db")), { stdio: "ignore" });
  rmSync(source);
}

export const SERVER_CASES: readonly ServerCase[] = [
  {
    server: "filesystem",
    prepare(folder) {
      writeFileSync(join(folder, "boats.md"), "Kittiwake\n");
      plantForest(join(folder, "forest"));
      return [folder];
    },
    tools: ["read_text_file", "search_files"],
    call: (folder) => ({ tool: "read_text_file", args: { path: join(folder, "boats.md") }, shows: /Kittiwake/ }),
    read: (folder) => ({ uri: `file://${folder}/boats.md`, shows: /Kittiwake/ }),
    error: (folder) => ({ tool: "read_text_file", args: { path: join(folder, "none.md") }, shows: /No such file or directory/ }),
    elicits: (folder) => ({ tool: "delete_file", args: { path: join(folder, "boats.md") }, shows: /[Dd]eleted/ }),
    long: (folder) => ({
      tool: "search_files",
      args: {
        path: folder,
        pattern: "**/nothing",
        excludePatterns: Array.from({ length: 99 }, (_, at) => `**/*a*b*${at}x*`),
      },
      shows: /No (matches|files)/i,
    }),
  },
  {
    server: "git",
    prepare(folder) {
      copyInto(folder, "git", commitOften);
      return [folder];
    },
    tools: ["git_status", "git_log"],
    call: (folder) => ({ tool: "git_status", args: { repo_path: folder }, shows: /main/ }),
    read: () => ({ uri: "git:///repo/status", shows: /main/ }),
    error: (folder) => ({ tool: "git_show", args: { repo_path: folder, revision: "nowhere" }, shows: /Unknown revision "nowhere"/ }),
    elicits: (folder) => ({ tool: "git_tag", args: { repo_path: folder, action: "delete", name: "v1" }, shows: /[Dd]eleted|"done":true/ }),
    long: (folder) => ({ tool: "git_log", args: { repo_path: folder, pickaxe: "entry 0" }, shows: /Entry000/ }),
  },
  {
    server: "sqlite",
    prepare(folder) {
      const file = join(folder, "harbour.db");
      using database = new DatabaseSync(file);
      database.exec("create table boats (name text); insert into boats values ('Kittiwake')");
      return ["--db-path", file];
    },
    tools: ["read_query", "write_query"],
    call: () => ({ tool: "read_query", args: { query: "select name from boats" }, shows: /Kittiwake/ }),
    read: () => ({ uri: "sqlite://harbour/schema", shows: /boats/i }),
    error: () => ({ tool: "read_query", args: { query: "select name from ships" }, shows: /no such table: ships/ }),
    elicits: () => ({ tool: "write_query", args: { query: "drop table boats" }, shows: /was dropped|"schemaChanged": ?true/ }),
    long: () => ({
      tool: "read_query",
      args: {
        query: "with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select count(*) c from n",
        timeout_ms: 120_000,
      },
      shows: /3000000/,
    }),
  },
  {
    server: "memory",
    prepare(folder) {
      copyInto(folder, "memory", rememberBoats);
      return ["--db", join(folder, "memory.db")];
    },
    tools: ["open_nodes", "search_nodes"],
    call: () => ({ tool: "open_nodes", args: { names: ["Kittiwake"] }, shows: /berth 0/ }),
    read: () => ({ uri: "memory://entity/Kittiwake", shows: /berth 0/ }),
    error: () => ({
      tool: "add_observations",
      args: { observations: [{ entityName: "Kittywake", contents: ["is blue"] }] },
      shows: /Entity with name Kittywake not found/,
    }),
    elicits: () => ({ tool: "delete_entities", args: { entityNames: ["Kittiwake"], purge: true }, shows: /Entities deleted successfully/ }),
    long: () => ({ tool: "graph_stats", args: {}, shows: new RegExp(`"entities": ?${BOATS}`) }),
  },
];
