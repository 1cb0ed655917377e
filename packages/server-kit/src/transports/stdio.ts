// The stdio transport: one message a line, stdin in, stdout out, and nothing else on stdout.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
import { isUtf8 } from "node:buffer";
import type { Channel } from "../server/channel.ts";
import type { Server } from "../server/define.ts";
import { Runtime, type RuntimeOptions } from "../server/endpoint.ts";
import { describeError } from "../protocol/errors.ts";
import { errorText, PARSE_ERROR, withoutSeparators, type ErrorObject } from "../wire/json-rpc.ts";
import { LineReader } from "../wire/ndjson.ts";
import { guardChildren, guardStdout, type Write } from "./stdout-guard.ts";

/** How a server is run on stdin and stdout. */
export interface StdioOptions extends RuntimeOptions {
  /** How long requests may go on after the end of input or `stop`, in milliseconds. Default 5,000. */
  graceMs?: number;
}

/** A server that runs on stdin and stdout. */
export interface StdioServer {
  /** Resolves when the client has gone, or after `stop`, and all work is done or undone. */
  readonly ended: Promise<void>;
  /** Ends calmly, as the end of input would. */
  stop(): Promise<void>;
}

const GRACE_MS = 5000;

/**
 * Serves a server on this process's stdin and stdout. From here on stdout carries the protocol only: what else is printed
 * there, by this process or by children that inherit it, goes to stderr.
 * @example
 * await serveStdio(server).ended;
 */
export function serveStdio(server: Server, options: StdioOptions = {}): StdioServer {
  const { stdin } = process;
  const graceMs = options.graceMs ?? GRACE_MS;
  const out = new Out(guardStdout());
  const runtime = new Runtime(server, options);
  const connection = runtime.connect(out);
  let guarded = false;
  const reader = new LineReader(
    {
      line(text) {
        // Only the handshake runs nothing of the author's.
        if (!guarded && !/"method"\s*:\s*"initialize"/.test(text)) {
          guarded = true;
          guardChildren();
        }
        connection.receive(text);
      },
      fault: (why) =>
        why === "too-long"
          ? connection.refuse(`Message longer than ${runtime.limits.messageBytes} bytes`)
          : connection.refuse("Parse error: not UTF-8", out, PARSE_ERROR),
    },
    runtime.limits.messageBytes,
    decode,
  );
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let ending = false;
  const end = (grace: number): Promise<void> => {
    if (ending) return ended;
    ending = true;
    // Nothing more is read, and an open stdin does not keep the process alive.
    stdin.removeListener("data", read);
    stdin.destroy();
    void connection
      .finish(grace)
      .then(() => runtime.close())
      .catch((error: unknown) => runtime.log("error", `shutdown: ${describeError(error)}`))
      .then(() => out.drain(grace))
      .then(resolve);
    return ended;
  };
  const read = (chunk: Buffer): void => {
    out.hold();
    reader.push(chunk);
    out.release();
  };
  out.onBlocked = () => (stdin.pause(), connection.pause());
  out.onReady = () => (connection.resume(), ending || stdin.resume());
  // The reader of our answers has gone: nobody is left to finish anything for.
  out.onBroken = () => void end(0);
  stdin.on("data", read);
  stdin.on("end", () => {
    reader.end();
    void end(graceMs);
  });
  stdin.on("error", () => void end(0));
  return { ended, stop: () => end(graceMs) };
}

/** Node's own decoding: as fast as a TextDecoder, which takes a millisecond to load. */
function decode(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() : undefined;
}

/** Answers are written together once per chunk read, or when this much has gathered. */
const FLUSH_AT = 128 * 1024;

/** stdout as a channel: gathers what one turn produces into one write, and says when the reader falls behind. */
class Out implements Channel {
  onBlocked: () => void = () => undefined;
  onReady: () => void = () => undefined;
  onBroken: () => void = () => undefined;
  readonly #write: Write;
  #text = "";
  #held = false;
  #scheduled = false;
  #blocked = false;

  constructor(write: Write) {
    this.#write = write;
    process.stdout.on("drain", () => {
      if (!this.#blocked) return;
      this.#blocked = false;
      this.onReady();
    });
    process.stdout.on("error", () => this.onBroken());
  }

  complete(text: string | undefined): void {
    if (text !== undefined) this.notify(text);
  }

  refuse(error: ErrorObject): void {
    this.notify(errorText(null, error));
  }

  notify(text: string): void {
    if (text.length >= FLUSH_AT) return this.#alone(text);
    this.#text += `${text}\n`;
    if (this.#text.length >= FLUSH_AT) return this.#flush();
    if (this.#held || this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  /** A chunk is being read: its answers go out together at `release`. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#flush();
  }

  /** A long text goes as it is: to add its newline would be to copy it once more. Both go in one call. */
  #alone(text: string): void {
    this.#flush();
    process.stdout.cork();
    this.#put(withoutSeparators(text));
    this.#put("\n");
    process.stdout.uncork();
  }

  #flush(): void {
    if (this.#text === "") return;
    const text = withoutSeparators(this.#text);
    this.#text = "";
    this.#put(text);
  }

  #put(text: string): void {
    if (this.#write(text) || this.#blocked) return;
    this.#blocked = true;
    this.onBlocked();
  }

  /** Resolves when all that was written has left the process, or cannot within the time. */
  drain(limitMs: number): Promise<void> {
    this.#flush();
    return new Promise((resolve) => {
      const give = setTimeout(() => {
        // Nobody reads: what is left unwritten must not keep the process alive. Node lets stdout not be destroyed, so the
        // handle below it is closed; the write then fails, which the listener above takes.
        (process.stdout as { _handle?: { close(): void } })._handle?.close();
        resolve();
      }, limitMs);
      this.#write("", () => {
        clearTimeout(give);
        resolve();
      });
    });
  }
}
