// The commands that start our servers by npx, each with a call that it answers.

/** The words of the command line, in a folder. */
export const SERVERS: Readonly<Record<string, (folder: string) => { args: string[]; call: readonly [string, Record<string, unknown>] }>> = {
  // Searched by ripgrep, a program of a package for one kind of machine.
  filesystem: (folder) => ({ args: [folder], call: ["search_file_contents", { path: folder, pattern: "Hello" }] }),
  git: (folder) => ({ args: ["--repository", folder], call: ["git_status", { repo_path: folder }] }),
  sqlite: (folder) => ({ args: ["--db-path", `${folder}/a.db`], call: ["read_query", { query: "SELECT 1" }] }),
  memory: (folder) => ({ args: ["--db", `${folder}/m.db`], call: ["read_graph", {}] }),
};
