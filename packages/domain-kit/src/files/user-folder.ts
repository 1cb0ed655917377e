// The folder where programs of a user keep what they store.
import { posix, win32 } from "node:path";

export interface UserFolderOptions {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Finds the home folder; called where no variable names a folder. */
  readonly home: () => string;
}

/**
 * Pure. `state` is what need not be kept for ever, such as notes of a session; only the XDG Base Directory Specification tells it from `data`.
 * Windows: %LOCALAPPDATA%. macOS: ~/Library/Application Support. Elsewhere: $XDG_DATA_HOME or $XDG_STATE_HOME.
 */
export function userFolder(kind: "data" | "state", { platform, env, home }: UserFolderOptions): string {
  const { join, isAbsolute } = platform === "win32" ? win32 : posix;
  // A relative path would mean the working directory, which differs from start to start.
  const named = (variable: string): string | undefined => {
    const path = env[variable];
    return path !== undefined && isAbsolute(path) ? path : undefined;
  };
  if (platform === "win32") return named("LOCALAPPDATA") ?? join(home(), "AppData", "Local");
  if (platform === "darwin") return join(home(), "Library", "Application Support");
  return kind === "data"
    ? (named("XDG_DATA_HOME") ?? join(home(), ".local", "share"))
    : (named("XDG_STATE_HOME") ?? join(home(), ".local", "state"));
}
