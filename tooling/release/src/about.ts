/**
 * The descriptions of the servers for registries, hosts and bundles. `node src/describe.ts` writes the files that follow from
 * them; a test fails if a file is out of date.
 */

/** Not registered yet: register both names before the first publication. */
export const OWNER = "oarlock";
export const SCOPE = "@oarlock";
export const REPOSITORY = `https://github.com/${OWNER}/${OWNER}`;

/** A setting that hosts ask for when a user installs a server. */
export interface Setting {
  readonly key: string;
  readonly title: string;
  readonly help: string;
  readonly type: "directory" | "file";
  readonly many: boolean;
  /** An example, absolute. */
  readonly example: string;
}

export interface About {
  /** Folder below servers/, name of the package in the scope, and of the command behind `oarlock-`. */
  readonly name: string;
  /** Display name in lists. */
  readonly title: string;
  /** At most 100 characters, a limit of the registry. */
  readonly summary: string;
  readonly keywords: readonly string[];
  /** Positional arguments; undefined: none. */
  readonly positionals: Setting | undefined;
  /** A call that works with the example of the positionals, as an example for the MCP Inspector. */
  readonly call: { readonly tool: string; readonly argument: string };
  /** Groups of tools besides `default`. */
  readonly toolsets: readonly string[];
  /** Debian packages that a container needs besides Node. */
  readonly system: readonly string[];
}

export const SERVERS: readonly About[] = [
  {
    name: "filesystem",
    title: "Oarlock filesystem",
    summary: "Files under the directories that you name: read, search, edit and move, safe by default.",
    keywords: ["files", "filesystem", "search", "edit"],
    positionals: {
      key: "directories",
      title: "Directories",
      help: "Directories that the server may use, subdirectories included",
      type: "directory",
      many: true,
      example: "/absolute/path/to/a/folder",
    },
    call: { tool: "list_directory", argument: "path=/absolute/path/to/a/folder" },
    toolsets: [],
    system: [],
  },
  {
    name: "git",
    title: "Oarlock git",
    summary: "Git repositories: history, diffs, blame, search, commits; never runs hooks or filters of a clone.",
    keywords: ["git", "repository", "diff", "blame"],
    positionals: {
      key: "repositories",
      title: "Repositories",
      help: "Clones that the server may use",
      type: "directory",
      many: true,
      example: "/absolute/path/to/a/repository",
    },
    call: { tool: "git_log", argument: "max_count=3" },
    toolsets: ["remote", "integrate"],
    system: ["git", "ca-certificates"],
  },
  {
    name: "sqlite",
    title: "Oarlock SQLite",
    summary: "SQLite databases: queries that can be cancelled, read-only access that SQLite enforces.",
    keywords: ["sqlite", "sql", "database", "query"],
    positionals: {
      key: "databases",
      title: "Databases",
      help: "Database files to read; --read-write allows changes",
      type: "file",
      many: true,
      example: "/absolute/path/to/a/file.db",
    },
    call: { tool: "read_query", argument: "query=SELECT 1" },
    toolsets: ["files"],
    system: [],
  },
  {
    name: "memory",
    title: "Oarlock memory",
    summary: "A knowledge graph that several hosts share: no lost writes, full-text recall.",
    keywords: ["memory", "knowledge-graph", "recall"],
    positionals: undefined,
    call: { tool: "search_nodes", argument: "query=Ada" },
    toolsets: [],
    system: [],
  },
];

export const packageOf = ({ name }: About): string => `${SCOPE}/${name}`;

export const commandOf = ({ name }: About): string => `oarlock-${name}`;

/** Its name in the registry: reverse DNS of the account that proves to own it. */
export const registryNameOf = ({ name }: About): string => `io.github.${OWNER}/${name}`;
