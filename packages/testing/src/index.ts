// @oarlock/testing: what the tests of this repository share. Imports vitest, so it is of use inside its runs only.
export { Arrivals } from "./arrivals.ts";
export { bothWays, type Compared, type Script, type Stage, type Wish } from "./both-ways.ts";
export { cpuMs } from "./cpu-ms.ts";
export { fixture } from "./fixture.ts";
export { hostRules } from "./host-rules.ts";
export { everyPeer, everyRevision, everyTransport, HANDSHAKE_REVISIONS, TESTED_REVISIONS, TRANSPORTS, type Peer } from "./matrix.ts";
export { play, type PlayOptions } from "./play.ts";
export { promptly } from "./promptly.ts";
export { RawProcess, startRaw } from "./raw-process.ts";
export { accept, cancel, decline, says, scriptPerson, type Asked, type Line, type Person } from "./script-person.ts";
export { hashTree, linkTo, tempFolder, treeOf, withMode, writeTree, type TempFolder, type Tree } from "./temp.ts";
export { parseTranscript, readTranscripts, TranscriptError, type Step, type Transcript } from "./transcript.ts";
export { connectTo, type Passed, type Target, type Transport, type Wired, type WireUpOptions } from "./wire-up.ts";
