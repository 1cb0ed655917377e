// @oarlock/cli/doctor: helpers for the checks that a server adds to `doctor`.
export { failed, failedBy, passed, type Check } from "./check.ts";
export { checkFile, checkFolder } from "./file-checks.ts";
export { processWithOpen } from "./descriptor-owner.ts";
export { runProgram, type ProgramRun } from "./program.ts";
export { checkDatabase, type OpenDatabase } from "./database-check.ts";
