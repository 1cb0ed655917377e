/** How many calls of node:fs a tool of the filesystem server may make for each file and each folder that there are. */
import type { TempFolder } from "@oarlock/testing";
import type { Serves } from "./served-data.ts";

const FILES_IN_A_FOLDER = 20;

export const tree: Serves = {
  server: "filesystem",
  flags: [`--require=${new URL("count-fs.cjs", import.meta.url).pathname}`],
  fill(folder, files) {
    for (let at = 0; at < files; at++) folder.write({ [`all/d${Math.floor(at / FILES_IN_A_FOLDER)}/f${at}.txt`]: `hello ${at}\n` });
    for (let at = 0; at < files; at++) folder.write({ [`flat/f${at}.txt`]: "" });
    return ["--allow-delete", folder.path];
  },
};

export const foldersOf = (files: number): number => files / FILES_IN_A_FOLDER;

export interface CallsBudget {
  tool: string;
  args(folder: TempFolder): Record<string, unknown>;
  perFile: number;
  perFolder: number;
}

const OPEN_READ_CLOSE = 4;

export const CALLS: readonly CallsBudget[] = [
  { tool: "directory_tree", args: (folder) => ({ path: folder.at("all"), maxEntries: 10_000 }), perFile: 0, perFolder: OPEN_READ_CLOSE },
  { tool: "search_files", args: (folder) => ({ path: folder.at("all"), pattern: "**/*9.txt" }), perFile: 0, perFolder: OPEN_READ_CLOSE },
  { tool: "list_directory", args: (folder) => ({ path: folder.at("flat") }), perFile: 0, perFolder: 0 },
  { tool: "list_directory_with_sizes", args: (folder) => ({ path: folder.at("flat") }), perFile: 1, perFolder: 0 },
  // Each is opened from its folder, checked on both sides, and copied with its mode.
  {
    tool: "copy_file",
    args: (folder) => ({ source: folder.at("all"), destination: folder.at("copy"), recursive: true }),
    perFile: 24,
    perFolder: 40,
  },
  // Moved into the trash, after its size has been measured.
  { tool: "delete_file", args: (folder) => ({ path: folder.at("copy"), recursive: true }), perFile: 2, perFolder: 10 },
];
