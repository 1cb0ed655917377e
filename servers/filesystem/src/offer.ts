// What the server offers: a table, loaded once the client has been greeted.
import type { ServerFeatures, ToolDefinition } from "@oarlock/server-kit";
import { createWatcher } from "./disk/watch/watcher.ts";
import { lean } from "./lean-replies.ts";
import type { Parts } from "./dependencies.ts";
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

export function offerOf(parts: Parts, isLean: boolean): ServerFeatures {
  const watcher = createWatcher();
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
  return {
    tools: isLean ? tools.map(lean) : tools,
    resources: [file(parts.folders, watcher, parts.maxResultBytes)],
    prompts: [exploreDirectory(parts), findAndReplace(parts)],
    close: () => watcher.close(),
  };
}
