// @oarlock/domain-kit: helpers for the domain code of MCP servers. Nothing in this package knows the protocol.
export { counted } from "./counted.ts";
export { CursorSealer } from "./cursor-sealer.ts";
export { DomainError, systemErrorCode } from "./domain-error.ts";
export { clip, escapeControls, escapeControlsInJson, escapeForTerminal, truncateText } from "./escaped-text.ts";
export { HeldFolder, type FolderReference } from "./files/held-folder.ts";
export { canUseLinuxHandles, linuxHandles } from "./files/linux-handle.ts";
export { portableHandles } from "./files/portable-handle.ts";
export type { HandleProvider, RawHandle } from "./files/raw-handle.ts";
export { openRegularFile } from "./files/regular-file.ts";
export { ReplacedError } from "./files/replaced-error.ts";
export {
  createNewFile,
  randomName,
  TemporaryFile,
  TemporaryFolder,
  TemporaryName,
  type EntryPaths,
  type TemporaryFileOptions,
} from "./files/temporary-file.ts";
export { KeyedQueue } from "./keyed-queue.ts";
export { makeFolders } from "./make-folders.ts";
export { missingFolder } from "./missing-folder.ts";
export { nearestNames } from "./nearest-names.ts";
export { NotificationThrottle } from "./notification-throttle.ts";
export { BatchWordError } from "./programs/batch-command.ts";
export { endProgram, endWindowsTree } from "./programs/process-tree.ts";
export { findProgram } from "./programs/program-search.ts";
export { programStart, type ProgramStart } from "./programs/program-start.ts";
export { mergeVariables, variableOf, windowsProgram, type ProgramSystem, type Variables } from "./programs/system.ts";
export { ProgressOutput } from "./progress-output.ts";
export { jsonStringBytes, takeWithin, truncateToBytes } from "./reply-budget.ts";
export { areChangesReported, reportChange } from "./reported-changes.ts";
export { tracedWork, type TracedWork } from "./traced-work.ts";
export { TimeSlice, yieldToEventLoop } from "./time-slice.ts";
export { utf8SequenceLength } from "./utf8.ts";
export { userFolder, type UserFolderOptions } from "./user-folder.ts";
export { hasPlainWindowsNames } from "./windows-names.ts";
