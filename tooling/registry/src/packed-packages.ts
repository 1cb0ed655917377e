// Our packages, packed as for publication: the tarballs, which all have one version and a licence.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Packs everything that is published into a folder. Needs a build. */
export const packAll = (into: string): string[] =>
  execFileSync(process.execPath, ["tooling/release/src/pack-all.ts", into], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");

/** The command that starts a server by npx, in a folder. */
export const SERVERS: Readonly<Record<string, (folder: string) => { args: string[]; call: readonly [string, Record<string, unknown>] }>> = {
  // Searched by ripgrep, a program of a package for one kind of machine.
  filesystem: (folder) => ({ args: [folder], call: ["search_file_contents", { path: folder, pattern: "Hello" }] }),
  git: (folder) => ({ args: ["--repository", folder], call: ["git_status", { repo_path: folder }] }),
  sqlite: (folder) => ({ args: ["--db-path", `${folder}/a.db`], call: ["read_query", { query: "SELECT 1" }] }),
  memory: (folder) => ({ args: ["--db", `${folder}/m.db`], call: ["read_graph", {}] }),
};
