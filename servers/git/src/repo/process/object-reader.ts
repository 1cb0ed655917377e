// Resolves revisions and reads objects through one long-lived `git cat-file --batch-command`, so that most calls start one process
// less. The process ends after a short idle time.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { isWindows } from "../../platform.ts";
import type { GitContext } from "./git-process.ts";
import { endProcess, processEnd } from "./process-end.ts";

export interface ObjectInfo {
  readonly oid: string;
  readonly type: string;
  readonly size: number;
}

export interface ObjectContent extends ObjectInfo {
  /** The first bytes of the content, as many as requested. */
  readonly bytes: Buffer;
}

export type Lookup<T> = T | "missing" | "ambiguous";

/** Another request, or `close`, ended the process while a request was open: the request may be repeated. */
export class ReaderEnded extends Error {}

/** git exited while a request was open, as it does on some names that can never resolve. */
export class ReaderExited extends Error {}

/** Long enough for the requests of one call; no process outlives its call by more. */
const IDLE_MS = 150;
const MAX_STDERR_LENGTH = 4096;
const NEWLINE = 10;

interface PendingRequest {
  /** Bytes of content to keep; undefined for only the kind and size. */
  readonly maxBytes: number | undefined;
  readonly resolve: (answer: Lookup<ObjectContent>) => void;
  readonly reject: (error: Error) => void;
}

interface IncomingContent {
  readonly info: ObjectInfo;
  readonly kept: Buffer[];
  room: number;
  left: number;
}

export class ObjectReader {
  readonly #context: GitContext;
  #child: ChildProcessWithoutNullStreams | undefined;
  #pending: PendingRequest[] = [];
  #partialLine: Buffer = Buffer.alloc(0);
  #incoming: IncomingContent | undefined;
  #stderr = "";
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(context: GitContext) {
    this.#context = context;
  }

  /**
   * Looks an object up; with `maxBytes` also reads the first bytes of its content. `name` must be one line.
   * Throws {@link ReaderEnded} or {@link ReaderExited} when the process ends before it answers.
   */
  async read(name: string | Buffer, maxBytes?: number, signal?: AbortSignal): Promise<Lookup<ObjectContent>> {
    signal?.throwIfAborted();
    const answer = Promise.withResolvers<Lookup<ObjectContent>>();
    // git answers in order and cannot skip a slow request: the process ends, and the requests behind it are repeated.
    const onAbort = (): void => this.#end(new ReaderEnded("aborted"));
    signal?.addEventListener("abort", onAbort, { once: true });
    const child = (this.#child ??= this.#start());
    this.#pending.push({ maxBytes, resolve: answer.resolve, reject: answer.reject });
    clearTimeout(this.#idleTimer);
    const verb = maxBytes === undefined ? "info " : "contents ";
    child.stdin.write(Buffer.concat([Buffer.from(verb), Buffer.from(name), Buffer.from("\n")]));
    try {
      return await answer.promise;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      if (this.#pending.length === 0) this.#startIdleTimer();
    }
  }

  close(): void {
    this.#end(new ReaderEnded("closed"));
  }

  #startIdleTimer(): void {
    clearTimeout(this.#idleTimer);
    if (this.#child !== undefined) this.#idleTimer = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  #start(): ChildProcessWithoutNullStreams {
    const { git, env, cwd } = this.#context;
    const child = spawn(git, ["cat-file", "--batch-command"], {
      cwd,
      env,
      stdio: "pipe",
      detached: !isWindows,
      windowsHide: true,
    });
    const endedEarly = (error: Error): void => {
      if (this.#child === child) this.#end(error);
    };
    this.#stderr = "";
    child.stdin.on("error", () => {});
    child.stdout.on("data", (chunk: Buffer) => {
      if (this.#child === child) this.#receive(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (this.#stderr.length < MAX_STDERR_LENGTH) this.#stderr += chunk.toString();
    });
    processEnd(child).then(() => endedEarly(new ReaderExited(this.#stderr)), endedEarly);
    return child;
  }

  #end(error: Error): void {
    clearTimeout(this.#idleTimer);
    const child = this.#child;
    const [first, ...others] = this.#pending;
    this.#child = undefined;
    this.#pending = [];
    this.#incoming = undefined;
    this.#partialLine = Buffer.alloc(0);
    // Without a request git ends with its input; on Windows to end it otherwise takes another process.
    if (child !== undefined && isWindows && first === undefined) child.stdin.end();
    else if (child !== undefined) endProcess(child, "SIGKILL");
    first?.reject(error);
    // git answers in order: only the first request can have ended the process.
    for (const request of others) request.reject(new ReaderEnded("another request ended the process"));
  }

  #receive(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.#incoming === undefined ? this.#takeLine(rest) : this.#takeContent(rest, this.#incoming);
  }

  #takeLine(data: Buffer): Buffer {
    const end = data.indexOf(NEWLINE);
    if (end === -1) {
      this.#partialLine = Buffer.concat([this.#partialLine, data]);
      return Buffer.alloc(0);
    }
    const line = Buffer.concat([this.#partialLine, data.subarray(0, end)]).toString();
    this.#partialLine = Buffer.alloc(0);
    this.#answer(line);
    return data.subarray(end + 1);
  }

  #takeContent(data: Buffer, incoming: IncomingContent): Buffer {
    const part = data.subarray(0, incoming.left);
    if (incoming.room > 0) incoming.kept.push(part.subarray(0, incoming.room));
    incoming.room -= part.length;
    incoming.left -= part.length;
    if (incoming.left === 0) {
      this.#incoming = undefined;
      // `left` counts the newline after the content, which may have been kept too.
      const bytes = Buffer.concat(incoming.kept).subarray(0, incoming.info.size);
      this.#pending.shift()?.resolve({ ...incoming.info, bytes });
    }
    return data.subarray(part.length);
  }

  #answer(line: string): void {
    const request = this.#pending[0];
    if (request === undefined) return;
    const [, oid, type, size] = /^([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)$/.exec(line) ?? [];
    if (oid === undefined || type === undefined) {
      this.#pending.shift();
      request.resolve(line.endsWith(" ambiguous") ? "ambiguous" : "missing");
      return;
    }
    const info = { oid, type, size: Number(size) };
    if (request.maxBytes === undefined) {
      this.#pending.shift();
      request.resolve({ ...info, bytes: Buffer.alloc(0) });
    } else this.#incoming = { info, left: info.size + 1, kept: [], room: request.maxBytes };
  }
}
