// Why a directory cannot be served, and what to do about it.
import { platform } from "../../platform.ts";
import type { SkippedDirectory } from "./roots.ts";

type SkipReason = SkippedDirectory["why"];

export const SKIP_REASONS: Readonly<Record<SkipReason, string>> = {
  missing: "it does not exist",
  "not-a-folder": "it is not a directory",
  "no-access": "it may not be read",
  blank: "its name is blank",
};

/** macOS refuses Desktop, Documents, Downloads and iCloud to programs that the user has not admitted, whatever the mode of the folder. */
export const remedyOf = (why: SkipReason, on: NodeJS.Platform = platform): string =>
  (on === "darwin" ? { ...REMEDIES, ...ON_MAC } : REMEDIES)[why];

const REMEDIES: Readonly<Record<SkipReason, string>> = {
  missing: "Create it, or correct the path.",
  "not-a-folder": "Name the directory that it is in.",
  "no-access": "Give this user the right to read it and its parent folders (chmod), or name another one.",
  blank: "Name a directory.",
};

const ON_MAC = {
  "no-access":
    "Give the host access to it in System Settings > Privacy & Security > Files and Folders, or this user the right to read it (chmod), or name another one.",
};
