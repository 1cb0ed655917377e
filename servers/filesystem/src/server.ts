// The filesystem server: a table of what it offers.
import { defineServer, type Server, type ToolDefinition } from "@oarlock/server-kit";
import { createWatcher } from "./disk/watch.ts";
import { Folders, type RootsMode } from "./folders.ts";
import { lean } from "./lean.ts";
import type { Parts } from "./parts.ts";
import { exploreDirectory } from "./prompts/explore-directory.ts";
import { findAndReplace } from "./prompts/find-and-replace.ts";
import { file } from "./resources/file.ts";
import { copyFile } from "./tools/copy-file.ts";
import { createDirectory } from "./tools/create-directory.ts";
import { deleteFile } from "./tools/delete-file.ts";
import { directoryTree } from "./tools/directory-tree.ts";
import { editFile } from "./tools/edit-file.ts";
import { getFileInfo } from "./tools/get-file-info.ts";
import { listAllowedDirectories } from "./tools/list-allowed-directories.ts";
import { listDirectory } from "./tools/list-directory.ts";
import { listDirectoryWithSizes } from "./tools/list-directory-with-sizes.ts";
import { moveFile } from "./tools/move-file.ts";
import { readMediaFile } from "./tools/read-media-file.ts";
import { readMultipleFiles } from "./tools/read-multiple-files.ts";
import { readFile, readTextFile } from "./tools/read-text-file.ts";
import { searchFileContents } from "./tools/search-file-contents.ts";
import { searchFiles } from "./tools/search-files.ts";
import { writeFile } from "./tools/write-file.ts";

export interface Options {
  /** The operator's directories, absolute or relative to the working directory. */
  directories: readonly { readonly path: string; readonly readOnly: boolean }[];
  /** Globs of what is hidden from every tool and resource. Default none. */
  deny?: readonly string[];
  /** What the client's roots do to the directories. Default `narrow`. */
  roots?: RootsMode;
  /** Files that have more than one name (hard links) are not read or edited. Default false. */
  refuseHardLinks?: boolean;
  /** Overwriting moves and copies, and deletions, need no yes from the user. Default false. */
  allowDelete?: boolean;
  /** No text stands twice in a reply, and the list of tools has no schemas of results. Default false. */
  lean?: boolean;
  /** The most that one reply may weigh, in bytes. Default 2,500,000. */
  maxResultBytes?: number;
}

export const version = "0.0.0";

const INSTRUCTIONS =
  "Work with files under the allowed directories (list_allowed_directories); relative paths start at one of them. search_files finds files by name, search_file_contents lines in them; read_text_file gives an etag that write_file and edit_file accept as expectedEtag, so that changes made meanwhile are not lost. Replies that had to be cut say how to go on.";

/**
 * Makes the server; its `skipped` are the directories that cannot be served.
 * @example
 * const { server } = await createServer({ directories: [{ path: "/home/me/notes", readOnly: false }] });
 */
export async function createServer(options: Options): Promise<{ server: Server; folders: Folders }> {
  const { directories, deny = [], roots = "narrow", refuseHardLinks = false, allowDelete = false, maxResultBytes = 2_500_000 } = options;
  const folders = await Folders.open({ directories, deny, refuseHardLinks }, roots);
  const watcher = createWatcher();
  const parts: Parts = { folders, allowDelete, maxResultBytes };
  const tools: ToolDefinition[] = [
    readTextFile(parts),
    readFile(parts),
    readMultipleFiles(parts),
    readMediaFile(parts),
    writeFile(parts),
    editFile(parts),
    createDirectory(parts),
    listDirectory(parts),
    listDirectoryWithSizes(parts),
    directoryTree(parts),
    moveFile(parts),
    copyFile(parts),
    deleteFile(parts),
    searchFiles(parts),
    searchFileContents(parts),
    getFileInfo(parts),
    listAllowedDirectories(parts),
  ];
  const server = defineServer({
    name: "oarlock-filesystem",
    title: "Files",
    version,
    instructions: INSTRUCTIONS,
    followsRoots: roots !== "ignore",
    tools: options.lean === true ? tools.map(lean) : tools,
    resources: [file(folders, watcher, maxResultBytes)],
    prompts: [exploreDirectory(parts), findAndReplace(parts)],
    close: () => watcher.close(),
  });
  return { server, folders };
}
