/** Tools of the filesystem server whose calls of node:fs are counted, and the files that they work on. */
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

interface MeasuredCall {
  tool: string;
  args(folder: TempFolder): Record<string, unknown>;
}

export const CALLS: readonly MeasuredCall[] = [
  { tool: "directory_tree", args: (folder) => ({ path: folder.at("all"), maxEntries: 10_000 }) },
  { tool: "search_files", args: (folder) => ({ path: folder.at("all"), pattern: "**/*9.txt" }) },
  { tool: "list_directory", args: (folder) => ({ path: folder.at("flat") }) },
  { tool: "list_directory_with_sizes", args: (folder) => ({ path: folder.at("flat") }) },
  // Each is opened from its folder, checked on both sides, and copied with its mode.
  { tool: "copy_file", args: (folder) => ({ source: folder.at("all"), destination: folder.at("copy"), recursive: true }) },
  // Moved into the trash, after its size has been measured.
  { tool: "delete_file", args: (folder) => ({ path: folder.at("copy"), recursive: true }) },
];
