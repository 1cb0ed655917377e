// @oarlock/testing: helpers to test Model Context Protocol servers with vitest.
export { needs, type Facility, type NeedsOptions } from "./checks/needs.ts";
export { testHostCompatibility } from "./checks/host-compatibility.ts";
export { expectGolden, jsonBytes } from "./checks/golden-file.ts";
export { reportedChanges } from "./checks/reported-changes.ts";
export { runInBothEras, type BothErasOutcome, type ClientScript, type HandlerRequest, type HandlerStage } from "./connection/both-eras.ts";
export {
  connectTo,
  type ConnectToOptions,
  type Target,
  type TestConnection,
  type Transport,
  type WireMessage,
} from "./connection/connect-to.ts";
export type { ErrorListener } from "./connection/server-errors.ts";
export {
  everyRevision,
  everyRevisionAndTransport,
  everyTransport,
  HANDSHAKE_REVISIONS,
  TESTED_REVISIONS,
  TRANSPORTS,
  type MatrixCell,
} from "./connection/matrix.ts";
export {
  accept,
  cancel,
  decline,
  modelSays,
  scriptUser,
  type ScriptedReply,
  type ScriptedUser,
  type UserRequest,
} from "./connection/scripted-user.ts";
export { toReply, type ToolReply } from "./connection/tool-reply.ts";
export { hashTree, linkTo, listTree, tempFolder, withMode, writeTree, type TempFolder, type Tree } from "./files/temp-folder.ts";
export { MessageQueue } from "./process/message-queue.ts";
export { nodeCommand } from "./process/node-command.ts";
export { childProcesses, openFiles } from "./process/process-inspection.ts";
export { RawProcess, startRaw } from "./process/raw-process.ts";
export { cpuMs } from "./timing/cpu-ms.ts";
export { waitUntil } from "./timing/wait-until.ts";
