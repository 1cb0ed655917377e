// @oarlock/cli: runs a server as a process.
export type { Flag, Flags } from "./flags.ts";
export { cli } from "./cli.ts";
export type { CliSpec, OptionsOf, Positionals, Start } from "./cli-spec.ts";
export type { AuditNames } from "./operations/audit.ts";
export { leanProcess } from "./process/lean-process.ts";
export type { MinimalTool, MinimalTools } from "./start/minimal-tools.ts";
export { requireNode } from "./process/node-version.ts";
export { refuseNetworkFiles } from "./shared-files.ts";
export { LOCKDOWN, refuseForeignFiles, requireFileOwners } from "./start/lockdown.ts";
export { StartError } from "./start/start-error.ts";
export { nothingServed, type UnservedPath } from "./start/unserved-paths.ts";
