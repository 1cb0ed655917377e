/**
 * What is told of each server to registries, hosts and bundles: the one place where it stands. `node src/describe.ts` writes what
 * follows from it, and a test fails where that is not done.
 */

/** Nobody has registered these yet: whoever publishes first makes sure that they are theirs. */
export const OWNER = "oarlock";
export const SCOPE = "@oarlock";
export const REPOSITORY = `https://github.com/${OWNER}/${OWNER}`;

/** Something that the person who installs a server is asked for. */
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
  /** For people, in lists. */
  readonly title: string;
  /** At most 100 characters, the registry's bound. */
  readonly summary: string;
  readonly keywords: readonly string[];
  /** Words of the command line after the switches; undefined: it takes none. */
  readonly positionals: Setting | undefined;
  /** Groups of tools besides `default`. */
  readonly toolsets: readonly string[];
  /** Debian-like packages that a container needs besides Node. */
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
      help: "What the server may touch, with all that lies below",
      type: "directory",
      many: true,
      example: "/absolute/path/to/a/folder",
    },
    toolsets: [],
    system: [],
  },
  {
    name: "git",
    title: "Oarlock git",
    summary: "Git repositories: history, diffs, blame, search, commits; nothing that a clone brings along runs.",
    keywords: ["git", "repository", "diff", "blame"],
    positionals: {
      key: "repositories",
      title: "Repositories",
      help: "Clones that the server works in",
      type: "directory",
      many: true,
      example: "/absolute/path/to/a/clone",
    },
    toolsets: ["remote", "integrate"],
    system: ["git"],
  },
  {
    name: "sqlite",
    title: "Oarlock SQLite",
    summary: "SQLite databases: queries that stop when told, and read-only that the engine itself enforces.",
    keywords: ["sqlite", "sql", "database", "query"],
    positionals: {
      key: "databases",
      title: "Databases",
      help: "Database files to read; --read-write allows changes",
      type: "file",
      many: true,
      example: "/absolute/path/to/a/file.db",
    },
    toolsets: ["files"],
    system: [],
  },
  {
    name: "memory",
    title: "Oarlock memory",
    summary: "A knowledge graph that several hosts share: it loses no write, and finds what was said.",
    keywords: ["memory", "knowledge-graph", "recall"],
    positionals: undefined,
    toolsets: [],
    system: [],
  },
];

export const packageOf = ({ name }: About): string => `${SCOPE}/${name}`;

export const commandOf = ({ name }: About): string => `oarlock-${name}`;

/** Its name in the registry: reverse DNS of the account that proves to own it. */
export const registryNameOf = ({ name }: About): string => `io.github.${OWNER}/${name}`;
