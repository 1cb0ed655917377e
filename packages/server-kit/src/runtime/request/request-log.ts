// The log of one request, for its handler: entries go to the client and to the operator's log.
// https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
import type { Log, LogOptions } from "../../features/context.ts";
import { severity } from "../../features/logging.ts";
import { truncate } from "../../features/schema/schema.ts";
import type { Peer } from "../../peer/peer.ts";
import type { TraceContext } from "../../protocol/trace.ts";
import type { LogLevel } from "../../protocol/types.ts";
import { notificationText } from "../../wire/json-rpc.ts";
import { TokenBucket } from "../../peer/token-bucket.ts";
import type { Runtime } from "../runtime.ts";

/** Longest entry that is sent whole, in characters. */
const MAX_ENTRY_LENGTH = 64 * 1024;

/** `send` returns without effect once the request has ended. */
export function requestLog(runtime: Runtime, peer: Peer, trace: TraceContext | undefined, send: (text: string) => void): Log {
  const log = (level: LogLevel, data: unknown, { isReported = false }: LogOptions = {}): void => {
    if (!isReported) runtime.log(level, data, trace);
    if (severity(level) < peer.minSeverity) return;
    peer.logs ??= new TokenBucket(runtime.limits.logsPerSecond);
    if (!peer.logs.take()) return;
    send(notificationText("notifications/message", { level, logger: runtime.server.info.name, data: serializable(data) }));
  };
  return {
    debug: (data, options) => log("debug", data, options),
    info: (data, options) => log("info", data, options),
    notice: (data, options) => log("notice", data, options),
    warning: (data, options) => log("warning", data, options),
    error: (data, options) => log("error", data, options),
  };
}

/** Data that JSON can hold: a log entry must never break its handler. */
function serializable(data: unknown): unknown {
  try {
    const text = JSON.stringify(data);
    if (text === undefined) return `[${typeof data}]`;
    return text.length <= MAX_ENTRY_LENGTH ? data : truncate(text, MAX_ENTRY_LENGTH);
  } catch {
    return "[log data that JSON cannot hold]";
  }
}
