// Why a folder cannot be served, and what to do about it: for the start and for doctor.
import type { SkippedFolder } from "./repo/safety/sandbox-configuration.ts";

type SkipReason = SkippedFolder["reason"];

export const SKIP_REASONS: Readonly<Record<SkipReason, string>> = {
  missing: "it does not exist",
  "not-a-folder": "it is not a directory",
  "no-access": "it is not readable: permission denied",
  "not-a-repository": "it is not a git repository",
};

export const SKIP_REMEDIES: Readonly<Record<SkipReason, string>> = {
  missing: "Correct the path.",
  "not-a-folder": "Name the folder of the repository.",
  "no-access": "Give this user the right to read the folder and its parent folders (chmod), or name another one.",
  "not-a-repository": "Name the top folder of a repository, or make one there with: git init",
};
