// Names that a file system takes for `.git`.
import { platform } from "../../../platform.ts";

/** Not seen by HFS+ when it compares names (git: utf8.c, `next_hfs_char`). */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * On Windows also the short name that the first such folder gets, `git~1`, and names whose end the system drops or takes for a stream
 * (git: path.c, `is_ntfs_dotgit`).
 */
const GIT_ON_WINDOWS = /^(?:\.git|git~1)[ .]*(?::|$)/i;
const GIT = /^\.git$/i;

export function isGitDirectoryName(name: string, of: NodeJS.Platform = platform): boolean {
  if (of === "win32") return GIT_ON_WINDOWS.test(name);
  return GIT.test(of === "darwin" ? name.replaceAll(IGNORED_BY_HFS, "") : name);
}
