// Buffered log: holds entries back until they are flushed, so that the first line of a failed start is its reason.
import type { LogSink } from "./stderr-log.ts";

export interface BufferedLog {
  /** A sink that buffers its entries until `flush`, and passes them on at once after it. */
  through(log: LogSink): LogSink;
  flush(): void;
}

export function bufferedLog(): BufferedLog {
  let buffer: (() => void)[] | undefined = [];
  return {
    through: (log) => (level, data) => (buffer === undefined ? log(level, data) : void buffer.push(() => log(level, data))),
    flush() {
      const entries = buffer ?? [];
      buffer = undefined;
      for (const write of entries) write();
    },
  };
}
