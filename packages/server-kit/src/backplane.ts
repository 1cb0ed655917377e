// @oarlock/server-kit/backplane: what several nodes of one server share.
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
export { cluster, type ClusterOptions } from "./cluster.ts";
export type { NodeTimes } from "./transports/http/shared/node-times.ts";
export { MemoryBackplane } from "./backplane/memory-backplane.ts";
