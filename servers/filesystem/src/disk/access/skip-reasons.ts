// Why a directory cannot be served, and what to do about it.
import type { SkippedDirectory } from "./roots.ts";

type SkipReason = SkippedDirectory["why"];

export const SKIP_REASONS: Readonly<Record<SkipReason, string>> = {
  missing: "it does not exist",
  "not-a-folder": "it is not a directory",
  "no-access": "it may not be read",
  blank: "its name is blank",
};

export const SKIP_REMEDIES: Readonly<Record<SkipReason, string>> = {
  missing: "Create it, or correct the path.",
  "not-a-folder": "Name the directory that it is in.",
  "no-access": "Give this user the right to read it and its parent folders (chmod), or name another one.",
  blank: "Name a directory.",
};
