/** Bytes that are published and parsed. Each limit is a tenth above the figure of the day it was set. */

export interface BytesBudget {
  /** From the root of the repository. A folder counts with everything below it. */
  path: string;
  /** Only files with this ending. */
  ending?: string;
  bytes: number;
  files: number;
}

export const BYTES: readonly BytesBudget[] = [
  // A start parses one file; lazy files beside it are parsed when they are needed. Each server has 70 KB for `doctor` and its readers of JSON5 and TOML.
  { path: "servers/filesystem/dist/bin.js", bytes: 204_000, files: 1 },
  // With 250 KB of tables for legacy encodings, loaded when a caller names one of them.
  { path: "servers/filesystem/dist/lazy", bytes: 972_000, files: 53 },
  { path: "servers/git/dist/bin.js", bytes: 149_000, files: 1 },
  { path: "servers/git/dist/lazy", bytes: 713_000, files: 27 },
  { path: "servers/sqlite/dist/bin.js", bytes: 154_000, files: 1 },
  { path: "servers/sqlite/dist/child.js", bytes: 110_000, files: 1 },
  { path: "servers/sqlite/dist/lazy", bytes: 480_000, files: 35 },
  { path: "servers/sqlite/dist/views/result.html", bytes: 87_000, files: 1 },
  { path: "servers/sqlite/dist/views/schema.html", bytes: 77_000, files: 1 },
  { path: "servers/memory/dist/bin.js", bytes: 165_000, files: 1 },
  // With 60 KB for memories in Postgres, 25 KB for embeddings, and scopes and imports of other programs, each loaded where it is used.
  { path: "servers/memory/dist/lazy", bytes: 735_000, files: 46 },
  // The kit within a server with ten tools and no schema library.
  { path: "tooling/bench/dist/echo-stdio.js", bytes: 89_000, files: 1 },
  { path: "tooling/bench/dist/echo-http.js", bytes: 131_000, files: 1 },
  // Libraries as published.
  { path: "packages/server-kit/dist", ending: ".js", bytes: 229_000, files: 24 },
  { path: "packages/server-kit/dist", ending: ".d.ts", bytes: 100_000, files: 12 },
  { path: "packages/cli/dist", ending: ".js", bytes: 80_000, files: 18 },
  { path: "packages/oauth/dist", ending: ".js", bytes: 12_500, files: 5 },
  { path: "packages/backplane-valkey/dist", ending: ".js", bytes: 31_000, files: 13 },
  { path: "packages/backplane-postgres/dist", ending: ".js", bytes: 29_500, files: 11 },
  { path: "packages/opentelemetry/dist", ending: ".js", bytes: 13_900, files: 7 },
  { path: "packages/domain-kit/dist", ending: ".js", bytes: 7_400, files: 3 },
];
