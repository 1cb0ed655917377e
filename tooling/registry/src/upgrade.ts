// An upgrade from one published version to the next: what a user has stored with the first is there with the second.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import type { Client } from "@oarlock/client";
import type { NewUser } from "./new-user.ts";
import { connectTo, replyOf, SERVERS, type Call } from "./server-commands.ts";

interface Use {
  readonly before: readonly Call[];
  /** Read it; the last reply has `text`. */
  readonly after: readonly Call[];
  readonly text: string;
}

/** How a user stores data by each server, in a folder. */
const USES: Readonly<Record<string, (folder: string) => Use>> = {
  filesystem: (folder) => ({
    before: ["first", "second"].map((content) => ["write_file", { path: `${folder}/kept.txt`, content }]),
    after: [
      ["undo_change", { path: `${folder}/kept.txt` }],
      ["read_text_file", { path: `${folder}/kept.txt` }],
    ],
    text: "first",
  }),
  git: (folder) => ({
    before: [
      ["git_add", { repo_path: folder, files: ["a.txt"] }],
      ["git_commit", { repo_path: folder, message: "A commit of the old version" }],
    ],
    after: [["git_log", { repo_path: folder }]],
    text: "A commit of the old version",
  }),
  sqlite: () => ({
    before: [
      ["create_table", { query: "CREATE TABLE fruit (name TEXT)" }],
      ["write_query", { query: "INSERT INTO fruit VALUES ('apple')" }],
    ],
    after: [["read_query", { query: "SELECT name FROM fruit" }]],
    text: "apple",
  }),
  memory: () => ({
    before: [["create_entities", { entities: [{ name: "Ada", entityType: "person", observations: ["writes programs"] }] }]],
    after: [["search_nodes", { query: "programs" }]],
    text: "Ada",
  }),
};

/** Makes the folder with the data, and the project in which the servers are installed. */
export function prepareProject(user: NewUser): void {
  for (const name of ["project", "data"]) mkdirSync(user.at(`work/${name}`));
  writeFileSync(user.at("work/project/package.json"), JSON.stringify({ private: true }));
  writeFileSync(user.at("work/data/a.txt"), "Hello\n");
  const git = (...args: string[]) => execFileSync("git", ["-C", user.at("work/data"), ...args]);
  git("init", "--quiet");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
}

export const SERVER_NAMES = Object.keys(USES);

export async function storeData(user: NewUser, name: string): Promise<string> {
  const use = useOf(user, name);
  await using client = await start(user, name);
  for (const call of use.before) await replyOf(client, call);
  return `stored with ${client.serverInfo.version}`;
}

export async function findData(user: NewUser, name: string): Promise<string> {
  const use = useOf(user, name);
  await using client = await start(user, name);
  let reply = "";
  for (const call of use.after) reply = await replyOf(client, call);
  if (!reply.includes(use.text)) throw new Error(`data of the old version are missing: ${reply}`);
  return `found with ${client.serverInfo.version}`;
}

function useOf(user: NewUser, name: string): Use {
  const use = USES[name]?.(user.at("work/data"));
  if (use === undefined) throw new Error(`Unknown server: ${name}`);
  return use;
}

function start(user: NewUser, name: string): Promise<Client> {
  const { args } = SERVERS[name]?.(user.at("work/data")) ?? { args: [] };
  return connectTo({ command: "npx", args: ["--no-install", `oarlock-${name}`, ...args], env: user.env, cwd: user.at("work/project") });
}
