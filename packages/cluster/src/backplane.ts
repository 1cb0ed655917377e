// @oarlock/cluster/backplane: what the nodes of a cluster share, for authors of backplanes.
export {
  LOG_BYTES,
  RecordMissing,
  StreamRefused,
  type Addition,
  type AppendResult,
  type Backplane,
  type BackplaneRecord,
  type LogEntry,
  type LogPart,
  type PutOptions,
  type ReadOptions,
  type StreamState,
} from "./backplane/backplane.ts";
export { MemoryBackplane } from "./backplane/memory-backplane.ts";
