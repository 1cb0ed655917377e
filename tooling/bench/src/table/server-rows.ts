/** The rows of the target table about the tools of the four servers. */
import type { Row } from "./row.ts";

const FILES = { group: "Filesystem", suite: "filesystem", of: "ours-filesystem", floor: "fs-floor" } as const;
const MEMORY = { group: "Memory", suite: "memory", of: "ours-memory", floor: "memory-floor" } as const;
const SQLITE = { group: "SQLite", suite: "sqlite", of: "ours-sqlite", floor: "sqlite-floor" } as const;
const GIT = { group: "Git", suite: "git", of: "ours-git", floor: "git-floor", stretch: 1.05 } as const;

const PAGES = "The official server returns the graph in one answer, ours in pages; all pages are read here.";
const CROSSING = "Ours runs queries in a child process that can be killed. All on one core.";
const SYNCED = "Acknowledged data is synced to the disk, by the floor too.";

export const SERVER_ROWS: readonly Row[] = [
  { ...FILES, figure: "read 1KiB ms", bar: 3, stretch: 2, beside: { "server-filesystem": 0.22 }, quick: true },
  {
    ...FILES,
    figure: "read 1MiB ms",
    of: "ours-filesystem-lean",
    bar: 1.25,
    stretch: 1.05,
    beside: { "server-filesystem": 0.6 },
    note: "Both send the text once.",
  },
  {
    ...FILES,
    figure: "read 1MiB ms",
    floor: "fs-floor-twice",
    bar: 1.25,
    stretch: 1.05,
    beside: { "server-filesystem": 0.6 },
    note: "All send the text twice, as the official server's clients expect.",
  },
  { ...FILES, figure: "head 100 of 100MiB ms", bar: 2, stretch: 1.4, beside: { "server-filesystem": 0.43 } },
  { ...FILES, figure: "tree ms", bar: 1.5, stretch: 1.2, beside: { "server-filesystem": 0.25 } },
  { ...FILES, figure: "search ms", bar: 2.5, stretch: 1.5, beside: { "server-filesystem": 0.03 } },
  { ...FILES, figure: "edit 1MiB ms", note: SYNCED, bar: 2.5, stretch: 1.5, beside: { "server-filesystem": 0.4 } },

  { ...MEMORY, figure: "create 1 at 10k ms", note: SYNCED, bar: 1.6, stretch: 1.2, beside: { "server-memory": 0.01 } },
  { ...MEMORY, figure: "create 2000 one by one ms", note: SYNCED, bar: 1.5, stretch: 1.2, beside: { "server-memory": 0.04 } },
  { ...MEMORY, figure: "search for one at 100k ms", bar: 0.8, stretch: 0.4, beside: { "server-memory": 0.1 } },
  { ...MEMORY, figure: "search for many at 100k ms", bar: 0.8, stretch: 0.4, beside: { "server-memory": 0.1 } },
  {
    ...MEMORY,
    figure: "first page of read_graph at 100k ms",
    bar: 0.9,
    stretch: 0.6,
    beside: { "server-memory": 0.25 },
    note: "One call: ours returns a page that fits a model, with a cursor; the official server and the floor return everything.",
  },
  { ...MEMORY, figure: "read_graph at 100k ms", note: PAGES },

  { ...SQLITE, figure: "read 10k rows ms", bar: 0.9, stretch: 0.5, beside: { dbhub: 0.6 } },
  { ...SQLITE, figure: "read 1 row ms", note: CROSSING, bar: 1.8, stretch: 1.3, beside: { dbhub: 0.4 }, quick: true },
  {
    ...SQLITE,
    figure: "read 1 row ms",
    floor: "sqlite-floor-crossing",
    note: "The floor in another process: the cost of the process boundary only.",
  },
  { ...SQLITE, figure: "insert 1 ms", note: SYNCED, bar: 1.1, stretch: 1, beside: { dbhub: 0.8 } },

  { ...GIT, figure: "status ms", bar: 1.15, beside: { "git-mcp-server": 0.9 }, quick: true },
  { ...GIT, figure: "log 100 ms", bar: 1.3, beside: { "git-mcp-server": 0.55 } },
  { ...GIT, figure: "diff HEAD~200 ms", bar: 1.15, beside: { "git-mcp-server": 0.45 } },
  { ...GIT, figure: "blame ms", bar: 1.15, beside: { "git-mcp-server": 0.8 } },
];
