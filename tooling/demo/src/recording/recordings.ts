// Recordings: what each picture of a terminal shows, as commands on files that are made for it.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface Recording {
  /** Name of the file in docs/recordings, without ending. */
  readonly name: string;
  /** For those who do not see the picture. */
  readonly title: string;
  /** Makes the files in an empty folder, in which the commands run. */
  prepare(folder: string, env: NodeJS.ProcessEnv): void;
  readonly commands: readonly { readonly line: string; readonly answers?: readonly string[] }[];
}

/** The answer to the question of a server. */
const ACCEPT = ["y"];

const call = (tool: string, args: object, server: string): string =>
  `oarlock-client call ${tool}${Object.keys(args).length === 0 ? "" : ` '${JSON.stringify(args)}'`} -- oarlock-${server}`;

function makeNotes(folder: string): void {
  writeFileSync(join(folder, "todo.md"), "Call the dentist on Monday.\nBuy oars.\n");
  writeFileSync(join(folder, "trip.md"), "# Trip\n\nPack the oars, and leave at 14:30.\n");
}

/** Dates and names are fixed, so that the commits have the same hashes in every run. */
function makeRepository(folder: string, env: NodeJS.ProcessEnv): void {
  const file = join(folder, "parts.txt");
  const git = (date: string, ...args: string[]): void => {
    const ada = { NAME: "Ada", EMAIL: "ada@example.com", DATE: `${date}T09:00:00Z` };
    const roles = ["AUTHOR", "COMMITTER"].flatMap((role) => Object.entries(ada).map(([key, value]) => [`GIT_${role}_${key}`, value]));
    execFileSync("git", args, { cwd: folder, env: { ...env, ...Object.fromEntries(roles) } });
  };
  git("2026-05-04", "init", "--quiet", "--initial-branch=main");
  writeFileSync(file, "oar\nrudder\n");
  git("2026-05-04", "add", "--all");
  git("2026-05-04", "commit", "--quiet", "--message=List the parts");
  writeFileSync(file, "oar\nrudder\noarlock\n");
  git("2026-05-11", "commit", "--quiet", "--all", "--message=Add the oarlock");
  writeFileSync(file, "oar\noarlock\n");
}

function makeShop(folder: string): void {
  const database = new DatabaseSync(join(folder, "shop.db"));
  database.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT, price REAL)");
  const insert = database.prepare("INSERT INTO orders (item, price) VALUES (?, ?)");
  for (let at = 0; at < 250; at++) insert.run(["oar", "rudder", "anchor"][at % 3] ?? "", ((at % 7) + 1) * 5);
  database.close();
}

const search = { line: call("search_file_contents", { path: ".", pattern: "oars" }, "filesystem .") };
const deletion = { line: call("delete_file", { path: "todo.md" }, "filesystem ."), answers: ACCEPT };
const sales = {
  line: call("read_query", { query: "SELECT item, count(*) AS sold, sum(price) AS total FROM orders GROUP BY item" }, "sqlite shop.db"),
};
const cheap = { line: call("write_query", { query: "DELETE FROM orders WHERE price < 25" }, "sqlite --db-path shop.db"), answers: ACCEPT };

export const RECORDINGS: readonly Recording[] = [
  {
    name: "oarlock",
    title: "A terminal: doctor checks a machine, a file is searched, and a deletion of many rows asks first",
    prepare(folder) {
      makeNotes(folder);
      makeShop(folder);
    },
    commands: [{ line: "oarlock-filesystem doctor ." }, search, cheap],
  },
  {
    name: "filesystem",
    title: "A terminal: two files are found by a word, one is deleted after a question, and brought back",
    prepare: makeNotes,
    commands: [search, deletion, { line: call("undo_change", { path: "todo.md" }, "filesystem .") }],
  },
  {
    name: "git",
    title: "A terminal: the commit that added a word, the changes in the work tree, and a question before they are discarded",
    prepare: makeRepository,
    commands: [
      { line: call("git_log", { pickaxe: "oarlock", max_count: 1 }, "git .") },
      { line: call("git_diff_unstaged", {}, "git .") },
      { line: call("git_restore", { files: ["parts.txt"] }, "git ."), answers: ACCEPT },
    ],
  },
  {
    name: "sqlite",
    title: "A terminal: a query with its rows, and a deletion of 144 rows that asks first",
    prepare: makeShop,
    commands: [sales, cheap],
  },
  {
    name: "memory",
    title: "A terminal: a question with a misspelled word finds a person, and a new fact takes the place of an old one",
    prepare: (folder, env) => {
      mkdirSync(join(folder, "data"));
      const ada = { name: "Ada", entityType: "person", observations: ["lives in Lisbon", "builds boats"] };
      execFileSync("sh", ["-c", call("create_entities", { entities: [ada] }, "memory --db data/memory.db")], { cwd: folder, env });
    },
    commands: [
      { line: call("search_nodes", { query: "who is living in lisbone?" }, "memory --db data/memory.db") },
      {
        line: call(
          "add_observations",
          { observations: [{ entityName: "Ada", contents: ["lives in Porto"], supersedes: ["lives in Lisbon"] }] },
          "memory --db data/memory.db",
        ),
      },
    ],
  },
];
