// Recordings: what each picture of a terminal shows, as commands on files that are made for it. `recordings/NAME.txt` has a title, and the commands
// behind `$`, each with the answers of the user behind `<`.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface Recording {
  /** Name of the file in docs/recordings, without ending. */
  readonly name: string;
  /** For those who do not see the picture. */
  readonly title: string;
  /** Makes the files in an empty folder, in which the commands run. */
  prepare(folder: string, env: NodeJS.ProcessEnv): void;
  readonly commands: readonly { readonly line: string; readonly answers: readonly string[] }[];
}

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

function makeMemory(folder: string, env: NodeJS.ProcessEnv): void {
  mkdirSync(join(folder, "data"));
  const entities = [{ name: "Ada", entityType: "person", observations: ["lives in Lisbon", "builds boats"] }];
  const command = `oarlock-client call create_entities '${JSON.stringify({ entities })}' -- oarlock-memory --db data/memory.db`;
  execFileSync("sh", ["-c", command], { cwd: folder, env });
}

function makeNotesAndShop(folder: string): void {
  makeNotes(folder);
  makeShop(folder);
}

function readRecording(name: string, prepare: Recording["prepare"]): Recording {
  const text = readFileSync(new URL(`../../recordings/${name}.txt`, import.meta.url), "utf8");
  const [title = "", ...commands] = text.trimEnd().split("\n$ ");
  const parts = commands.map((command) => command.split("\n< "));
  return { name, title, prepare, commands: parts.map(([line = "", ...answers]) => ({ line, answers })) };
}

export const RECORDINGS: readonly Recording[] = [
  readRecording("oarlock", makeNotesAndShop),
  readRecording("filesystem", makeNotes),
  readRecording("git", makeRepository),
  readRecording("sqlite", makeShop),
  readRecording("memory", makeMemory),
];
