// The tools, resources and prompts of the server, loaded after the answer to `initialize`.
import type { ServerFeatures, ToolDefinition } from "@oarlock/server-kit";
import { createWatcher } from "./disk/watch/watcher.ts";
import { leanFileTool } from "./replies/lean-replies.ts";
import type { Dependencies } from "./dependencies.ts";
import { exploreDirectory } from "./prompts/explore-directory.ts";
import { findAndReplace } from "./prompts/find-and-replace.ts";
import { file } from "./resources/file.ts";
import { copyFile } from "./tools/change/copy-file.ts";
import { createDirectory } from "./tools/change/create-directory.ts";
import { deleteFile } from "./tools/change/delete-file.ts";
import { editFile } from "./tools/change/edit-file.ts";
import { moveFile } from "./tools/change/move-file.ts";
import { replaceInFiles } from "./tools/toolsets/replace-in-files.ts";
import { undoChange } from "./tools/change/undo-change.ts";
import { changeMode } from "./tools/toolsets/change-mode.ts";
import { compareFiles } from "./tools/toolsets/compare-files.ts";
import { outlineFile } from "./tools/toolsets/outline-file.ts";
import { readDocument } from "./tools/toolsets/read-document.ts";
import { writeFile } from "./tools/change/write-file.ts";
import { directoryTree } from "./tools/list/directory-tree.ts";
import { listAllowedDirectories } from "./tools/list/list-allowed-directories.ts";
import { listDirectoryWithSizes } from "./tools/list/list-directory-with-sizes.ts";
import { listDirectory } from "./tools/list/list-directory.ts";
import { viewFolderSizes } from "./tools/list/view-folder-sizes.ts";
import { getFileInfo } from "./tools/read/get-file-info.ts";
import { readMediaFile } from "./tools/read/read-media-file.ts";
import { readMultipleFiles } from "./tools/read/read-multiple-files.ts";
import { readFile, readTextFile } from "./tools/read/read-text-file.ts";
import { searchFileContents } from "./tools/search/search-file-contents.ts";
import { searchFiles } from "./tools/search/search-files.ts";

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
    replaceInFiles(dependencies),
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
    compareFiles(dependencies),
    changeMode(dependencies),
    outlineFile(dependencies),
    readDocument(dependencies),
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
