// The tools, resources and prompts of the server, loaded after the answer to `initialize`.
import type { ServerFeatures, ToolDefinition } from "@oarlock/server-kit";
import { createWatcher } from "./disk/watch/watcher.ts";
import { leanFileTool } from "./replies/lean-replies.ts";
import type { Dependencies } from "./dependencies.ts";
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
import { undoChange } from "./tools/undo-change.ts";
import { viewFolderSizes } from "./tools/view-folder-sizes.ts";
import { writeFile } from "./tools/write-file.ts";

export function createFeatures(dependencies: Dependencies): ServerFeatures {
  const { activity, isLean, lookMs } = dependencies;
  const watcher = createWatcher({ event: activity.event, lookMs });
  const tools: ToolDefinition[] = [
    readTextFile(dependencies),
    readFile(dependencies),
    readMultipleFiles(dependencies),
    readMediaFile(dependencies),
    writeFile(dependencies),
    editFile(dependencies),
    createDirectory(dependencies),
    listDirectory(dependencies),
    listDirectoryWithSizes(dependencies),
    directoryTree(dependencies),
    moveFile(dependencies),
    copyFile(dependencies),
    deleteFile(dependencies),
    ...(dependencies.openTrash === undefined ? [] : [undoChange(dependencies, dependencies.openTrash)]),
    searchFiles(dependencies),
    searchFileContents(dependencies),
    getFileInfo(dependencies),
    listAllowedDirectories(dependencies),
  ];
  /** Only views call these, so their results stay whole with --lean. */
  const viewTools: ToolDefinition[] = [viewFolderSizes(dependencies)];
  return {
    tools: [...(isLean ? tools.map(leanFileTool) : tools), ...viewTools].map(activity.tool),
    resources: [file(dependencies, watcher)],
    prompts: [exploreDirectory(dependencies), findAndReplace(dependencies)].map(activity.prompt),
    close: () => watcher.close(),
  };
}
