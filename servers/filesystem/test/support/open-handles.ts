// The files and directories of a folder that this process has open.
import { openFiles } from "@oarlock/testing";

/** Paths at or below a folder, and those of the folders above it; other files that share the process may open others meanwhile. */
export const openHandles = (folder: string): string[] =>
  openFiles(process.pid).filter(
    (path) => path === folder || path.startsWith(`${folder}/`) || folder.startsWith(path === "/" ? path : `${path}/`),
  );
