/** What may be published and parsed, in bytes: today's size and about three in a hundred. Who needs more raises it here, and says why. */

export interface BytesBudget {
  /** Below the top of the repository. A folder counts with all that is in it. */
  path: string;
  /** Only files with this ending. */
  ending?: string;
  bytes: number;
  files: number;
}

export const BYTES: readonly BytesBudget[] = [
  // What a start parses is one file; what is loaded when it is needed lies beside it.
  { path: "servers/filesystem/dist/bin.js", bytes: 131_000, files: 1 },
  { path: "servers/filesystem/dist/lazy", bytes: 333_000, files: 30 },
  { path: "servers/git/dist/bin.js", bytes: 104_000, files: 1 },
  { path: "servers/git/dist/lazy", bytes: 300_000, files: 8 },
  { path: "servers/sqlite/dist/bin.js", bytes: 106_500, files: 1 },
  { path: "servers/sqlite/dist/child.js", bytes: 59_600, files: 1 },
  { path: "servers/sqlite/dist/lazy", bytes: 167_000, files: 13 },
  { path: "servers/memory/dist/bin.js", bytes: 113_500, files: 1 },
  { path: "servers/memory/dist/lazy", bytes: 182_300, files: 7 },
  // The kit as it is paid by a server with ten tools and no schema library.
  { path: "tooling/bench/dist/echo-stdio.js", bytes: 79_400, files: 1 },
  { path: "tooling/bench/dist/echo-http.js", bytes: 104_900, files: 1 },
  // The kit as it is published: its entries, what they share, and what is loaded when it is needed.
  { path: "packages/server-kit/dist", ending: ".js", bytes: 151_000, files: 12 },
  { path: "packages/server-kit/dist", ending: ".d.ts", bytes: 67_000, files: 7 },
];
