// The commands that start our servers by npx, each with a call that it answers.
import { connect, type Client, type Command, type ConnectOptions } from "@oarlock/client";

export type Call = readonly [tool: string, args: Record<string, unknown>];

/** Connects to a command that a package manager may first download. */
export const connectTo = (command: Command, options: ConnectOptions = {}): Promise<Client> =>
  connect(command, { timeoutMs: 120_000, ...options });

/** Calls a tool; returns the reply as JSON. Rejects where the call fails. */
export async function replyOf(client: Client, [tool, args]: Call): Promise<string> {
  const { isError, content } = await client.call(tool, args);
  if (isError === true) throw new Error(`${tool}: ${JSON.stringify(content)}`);
  return JSON.stringify(content);
}

/** The words of the command line, in a folder. */
export const SERVERS: Readonly<Record<string, (folder: string) => { args: string[]; call: Call }>> = {
  // Searched by ripgrep, a program of a package for one kind of machine.
  filesystem: (folder) => ({ args: [folder], call: ["search_file_contents", { path: folder, pattern: "Hello" }] }),
  git: (folder) => ({ args: ["--repository", folder], call: ["git_status", { repo_path: folder }] }),
  sqlite: (folder) => ({ args: ["--db-path", `${folder}/a.db`], call: ["read_query", { query: "SELECT 1" }] }),
  memory: (folder) => ({ args: ["--db", `${folder}/m.db`], call: ["read_graph", {}] }),
};
