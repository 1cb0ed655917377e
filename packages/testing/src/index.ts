// @oarlock/testing: helpers to test Model Context Protocol servers with vitest.
export { describeBackplane, type DescribeBackplaneOptions } from "./backplane/describe-backplane.ts";
export type { BackplaneFaults } from "./backplane/outages.ts";
export { needs, type Facility, type NeedsOptions } from "./checks/needs.ts";
export { testHostCompatibility } from "./checks/host-compatibility.ts";
export { expectGolden, jsonBytes } from "./checks/golden-file.ts";
export { reportedChanges } from "./checks/reported-changes.ts";
export { hasTestTitled, missingCaseIds, tableRows, testSources } from "./checks/documentation.ts";
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
export { hashTree, linkTo, listTree, tempFolder, withMode, writeTree, type TempFolder, type Tree } from "./files/temp-folder.ts";
export { MessageQueue } from "./process/message-queue.ts";
export { doctorFailures, type FailedCheck } from "./process/doctor-failures.ts";
export { nodeCommand } from "./process/node-command.ts";
export { otherUser, type OtherUser } from "./process/other-user.ts";
export { childProcesses, openFiles } from "./process/process-inspection.ts";
export { RawProcess, startRaw } from "./process/raw-process.ts";
export { StressHarness, toReply, type ToolReply } from "./stress/stress-harness.ts";
export { cpuMs } from "./timing/cpu-ms.ts";
export { expectWithin } from "./timing/expect-within.ts";
export { waitUntil } from "./timing/wait-until.ts";
export { playTranscript, type PlayOptions } from "./transcript/play-transcript.ts";
export { parseTranscript, readTranscripts, TranscriptError, type Step, type Transcript } from "./transcript/transcript.ts";
