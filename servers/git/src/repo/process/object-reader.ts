// One long-lived `git cat-file --batch-command` per repository: resolves revisions and reads objects without a process each. It ends
// when it is not needed for a moment, when the repository's configuration changes, and with the server.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { endGroup, type Spawning } from "./git-process.ts";

export interface ObjectInfo {
  readonly oid: string;
  readonly type: string;
  readonly size: number;
}

export interface ObjectRead extends ObjectInfo {
  /** As many of its first bytes as were asked for. */
  readonly bytes: Buffer;
}

export type Answer<T> = T | "missing" | "ambiguous";

/** The process ended over a question; what it said on its way out. */
export class BatchEnded extends Error {
  override readonly name = "BatchEnded";
  /** Not because of this question: it may be asked again. */
  readonly again: boolean;

  constructor(why: string, again: boolean) {
    super(why);
    this.again = again;
  }
}

/** Long enough for questions that follow each other; no process outlives its request by more. */
const IDLE_MS = 150;

interface Asked {
  readonly keep: number | undefined;
  readonly done: (answer: Answer<ObjectRead>) => void;
  readonly failed: (error: Error) => void;
}

export class Batch {
  readonly #spawning: Spawning;
  #child: ChildProcessWithoutNullStreams | undefined;
  #asked: Asked[] = [];
  #head: Buffer = Buffer.alloc(0);
  /** The content that is coming in. */
  #reading: { info: ObjectInfo; left: number; kept: Buffer[]; keep: number } | undefined;
  #said = "";
  #idle: NodeJS.Timeout | undefined;
  #held = 0;

  constructor(spawning: Spawning) {
    this.#spawning = spawning;
  }

  /** Without `keep` only what it is; with it up to so many bytes of the content. `name` must be one line. */
  async ask(name: string | Buffer, keep?: number, signal?: AbortSignal): Promise<Answer<ObjectRead>> {
    signal?.throwIfAborted();
    const answer = Promise.withResolvers<Answer<ObjectRead>>();
    // A question that runs on and on holds up those behind it: it ends with the process, and they are asked anew.
    const onAbort = (): void => this.#end(new BatchEnded("stopped", true));
    signal?.addEventListener("abort", onAbort, { once: true });
    const child = (this.#child ??= this.#start());
    this.#asked.push({ keep, done: answer.resolve, failed: answer.reject });
    clearTimeout(this.#idle);
    child.ref();
    child.stdin.write(Buffer.concat([Buffer.from(keep === undefined ? "info " : "contents "), Buffer.from(name), Buffer.from("\n")]));
    try {
      return await answer.promise;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      if (this.#asked.length === 0) this.#rest();
    }
  }

  /** A command of the same repository runs: what it was asked for is likely to be asked again behind it. */
  hold(): void {
    this.#held++;
    clearTimeout(this.#idle);
  }

  release(): void {
    this.#held--;
    if (this.#asked.length === 0) this.#rest();
  }

  close(): void {
    this.#end(new BatchEnded("closed", true));
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#held > 0 || this.#child === undefined) return;
    this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  #start(): ChildProcessWithoutNullStreams {
    const { git, env, cwd } = this.#spawning;
    const child = spawn(git, ["cat-file", "--batch-command"], {
      cwd,
      env,
      stdio: "pipe",
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#said = "";
    child.stdin.on("error", () => {});
    child.stdout.on("data", (chunk: Buffer) => {
      if (this.#child === child) this.#take(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (this.#said.length < 4096) this.#said += chunk.toString();
    });
    child.once("error", (error) => this.#lost(child, error));
    child.once("close", () => this.#lost(child, new BatchEnded(this.#said, false)));
    return child;
  }

  #lost(child: ChildProcessWithoutNullStreams, error: Error): void {
    if (this.#child === child) this.#end(error);
  }

  #end(error: Error): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    const [first, ...others] = this.#asked;
    this.#child = undefined;
    this.#asked = [];
    this.#reading = undefined;
    this.#head = Buffer.alloc(0);
    if (child !== undefined) endGroup(child, "SIGKILL");
    first?.failed(error);
    // Only the first of them can have been the reason.
    for (const asked of others) asked.failed(new BatchEnded("another question ended the process", true));
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#reading === undefined) {
        const end = rest.indexOf(10);
        if (end === -1) {
          this.#head = Buffer.concat([this.#head, rest]);
          return;
        }
        const line = Buffer.concat([this.#head, rest.subarray(0, end)]).toString();
        this.#head = Buffer.alloc(0);
        rest = rest.subarray(end + 1);
        this.#line(line);
      } else {
        const reading = this.#reading;
        const part = rest.subarray(0, reading.left);
        const room = reading.keep - reading.kept.reduce((sum, { length }) => sum + length, 0);
        if (room > 0) reading.kept.push(part.subarray(0, room));
        reading.left -= part.length;
        rest = rest.subarray(part.length);
        if (reading.left > 0) return;
        this.#reading = undefined;
        // The newline behind the content was counted in.
        this.#asked.shift()?.done({ ...reading.info, bytes: Buffer.concat(reading.kept).subarray(0, reading.info.size) });
      }
    }
  }

  #line(line: string): void {
    const asked = this.#asked[0];
    const [, oid, type, size] = /^([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)$/.exec(line) ?? [];
    if (asked === undefined) return;
    if (oid === undefined || type === undefined) {
      this.#asked.shift();
      asked.done(line.endsWith(" ambiguous") ? "ambiguous" : "missing");
      return;
    }
    const info = { oid, type, size: Number(size) };
    if (asked.keep === undefined) {
      this.#asked.shift();
      asked.done({ ...info, bytes: Buffer.alloc(0) });
    } else this.#reading = { info, left: info.size + 1, kept: [], keep: asked.keep };
  }
}
