// The stdio transport: one message per line, read from stdin and written to stdout.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
import { describeError } from "../protocol/errors.ts";
import { Connection } from "../runtime/connection.ts";
import type { Channel } from "../runtime/request/channel.ts";
import type { Server } from "../runtime/define.ts";
import { Runtime, type RuntimeOptions } from "../runtime/runtime.ts";
import { errorText, PARSE_ERROR, withoutSeparators, type ErrorObject } from "../wire/json-rpc.ts";
import { LineReader } from "../wire/ndjson.ts";
import { guardStdout, type Write } from "./stdout-guard.ts";

/** How a server is served on stdin and stdout. */
export interface StdioOptions extends RuntimeOptions {
  /**
   * How long requests in flight may take when the server ends, in milliseconds. Default: 1,000 after the end of input, as clients kill
   * a process that stays a few seconds longer; 5,000 after `stop`.
   */
  graceMs?: number;
}

const END_OF_INPUT_GRACE_MS = 1000;
const STOP_GRACE_MS = 5000;
/** Output that is still unwritten after the grace time has this long. */
const MIN_DRAIN_MS = 100;

/** A server on stdin and stdout. */
export interface StdioServer {
  /** Resolves when the client has gone, or after `stop`, and all work is done or undone. */
  readonly ended: Promise<void>;
  /** Ends the server. When it is ending already, requests in flight are aborted at once. */
  stop(): Promise<void>;
}

/**
 * Serves a server on this process's stdin and stdout. From here on stdout carries protocol messages only: other output of this
 * process, and of children that inherit stdout, goes to stderr.
 * @example
 * await serveStdio(server).ended;
 */
export function serveStdio(server: Server, options: StdioOptions = {}): StdioServer {
  const { stdin } = process;
  const output = new StdoutChannel(guardStdout());
  const runtime = new Runtime(server, options);
  const connection = new Connection(runtime, output);
  const { messageBytes } = runtime.limits;
  const reader = new LineReader(
    {
      line: (text) => connection.receive(text),
      fault: (reason) =>
        reason === "too-long"
          ? connection.refuse(`Message too long: expected at most ${messageBytes} bytes.`)
          : connection.refuse("Parse error: not UTF-8", output, PARSE_ERROR),
    },
    messageBytes,
  );
  const read = (chunk: Buffer): void => {
    output.hold();
    reader.push(chunk);
    output.release();
  };

  let isEnding = false;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const end = async (grace: number, cause?: "closed" | "shutdown"): Promise<void> => {
    if (isEnding) return ended;
    isEnding = true;
    const deadline = performance.now() + grace;
    // An open stdin would keep the process alive.
    stdin.removeListener("data", read);
    stdin.destroy();
    try {
      await connection.finish(grace, cause);
      await runtime.close();
    } catch (error) {
      runtime.log("error", `shutdown: ${describeError(error)}`);
    }
    await output.drain(Math.max(deadline - performance.now(), MIN_DRAIN_MS));
    resolve();
  };

  output.onBlocked = () => {
    stdin.pause();
    connection.pause();
  };
  output.onDrain = () => {
    connection.resume();
    if (!isEnding) stdin.resume();
  };
  // Without a reader of the responses there is nothing to finish.
  output.onError = () => void end(0);
  stdin.on("data", read);
  stdin.on("end", () => {
    reader.end();
    void end(options.graceMs ?? END_OF_INPUT_GRACE_MS);
  });
  stdin.on("error", () => void end(0));
  const stop = (): Promise<void> => {
    if (isEnding) connection.close();
    return end(options.graceMs ?? STOP_GRACE_MS, "shutdown");
  };
  return { ended, stop };
}

/** Waiting text of this many characters is written before the chunk is read to its end. */
const FLUSH_AT = 128 * 1024;

/** stdout as a channel, with backpressure. All messages of one turn are written at once: twice the responses a second with 256 in flight. */
class StdoutChannel implements Channel {
  onBlocked: () => void = () => undefined;
  onDrain: () => void = () => undefined;
  onError: () => void = () => undefined;
  readonly #write: Write;
  #pending = "";
  #isHeld = false;
  #isScheduled = false;
  #isBlocked = false;

  constructor(write: Write) {
    this.#write = write;
    process.stdout.on("drain", () => {
      if (!this.#isBlocked) return;
      this.#isBlocked = false;
      this.onDrain();
    });
    process.stdout.on("error", () => this.onError());
  }

  notify(text: string): void {
    if (text.length >= FLUSH_AT) return this.#writeLong(text);
    this.#pending += `${text}\n`;
    if (this.#pending.length >= FLUSH_AT) return this.#flush();
    if (this.#isHeld || this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  complete(text: string | undefined): void {
    if (text !== undefined) this.notify(text);
  }

  refuse(error: ErrorObject): void {
    this.notify(errorText(null, error));
  }

  /** Collects the messages that follow until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#flush();
  }

  /** Appending a newline would copy the text once more: 30 % of the CPU of a 1 MiB echo. */
  #writeLong(text: string): void {
    this.#flush();
    process.stdout.cork();
    this.#send(withoutSeparators(text));
    this.#send("\n");
    process.stdout.uncork();
  }

  #flush(): void {
    if (this.#pending === "") return;
    const text = withoutSeparators(this.#pending);
    this.#pending = "";
    this.#send(text);
  }

  #send(text: string): void {
    if (this.#write(text) || this.#isBlocked) return;
    this.#isBlocked = true;
    this.onBlocked();
  }

  /** Resolves when everything has been written, or after the time. */
  drain(limitMs: number): Promise<void> {
    this.#flush();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        // Unwritten output without a reader must not keep the process alive. Node does not destroy stdout, so close the handle
        // below it; the write then fails, which the error listener takes.
        (process.stdout as { _handle?: { close(): void } })._handle?.close();
        resolve();
      }, limitMs);
      this.#write("", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
