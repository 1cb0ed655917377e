// One database process, seen from the server: it does one thing at a time, and what cannot be stopped otherwise is killed.
import { spawn, type ChildProcess } from "node:child_process";
import { constants, setPriority } from "node:os";
import { DbError } from "../errors.ts";
import { AGAIN, ARRAYS, DONE, FAILED, FrameReader, frameOf, inText, OBJECTS, PROGRESS, READY, ROWS, TEXT } from "../protocol/frames.ts";
import { limitsFor } from "./resource-limits.ts";
import type { Asked, Failed, Queued } from "../protocol/requests.ts";

export interface ProcessOptions {
  /** The script that a process runs. */
  readonly script: string;
  readonly file: string;
  readonly label: string;
  readonly write: boolean;
  readonly make: boolean;
  /** It writes files as large as they get: the database, or a copy of it. */
  readonly largeFiles: boolean;
  /** No statement runs longer, in milliseconds. */
  readonly longestMs: number;
}

export interface Answer {
  readonly done: unknown;
  /** Rows as arrays, in JSON without the brackets around them all; empty where the request gives none. */
  readonly arrays: string;
  /** They hold the sign that the driver has for bytes that are no text, U+FFFD. */
  readonly odd: boolean;
  /** The same to stand inside a JSON text; in the format that was asked for, if one was. */
  readonly texts: string;
  /** Few rows as objects, to stand inside a JSON text. */
  readonly objects: string | undefined;
}

/** A failure that the engine told, with its code. */
export class EngineError extends Error {
  readonly code: string;

  constructor({ code, message }: Failed) {
    super(message);
    this.code = code;
  }
}

/** The process ended in the middle of a request. */
const ended = (): DbError =>
  new DbError(
    "ended",
    "The database process broke down over this: most likely the statement needs too much memory, or the file is damaged. A change is undone, unless it had just been completed; ask for less",
  );

interface Job {
  arrays: string;
  odd: boolean;
  /** Their text, encoded while the process works on the next ones. */
  texts: string;
  /** Few rows come as objects too, which then are the text. */
  objects: string | undefined;
  readonly on: Handlers;
}

export interface Handlers {
  readonly done: (answer: Answer) => void;
  readonly failed: (error: Error) => void;
  readonly progress: (done: number, total: number) => void;
}

/** Killed when this process ends, however it ends. */
const alive = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of alive) child.kill("SIGKILL");
});

export class DatabaseProcess {
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  dead = false;
  gaveWay = false;
  /** When it had started. */
  ready = Infinity;
  readonly #write: boolean;
  readonly #child: ChildProcess;
  readonly #frames = new FrameReader();
  #job: Job | undefined;

  constructor({ script, ...place }: ProcessOptions) {
    const [command, args] = limitsFor(place, [...FLAGS, script, JSON.stringify(place)]);
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"], env: environment(), windowsHide: true });
    this.#child = child;
    this.#write = place.write;
    alive.add(child);
    this.gone = new Promise((resolve) => {
      child.once("close", () => {
        this.#end();
        resolve();
      });
      child.once("error", () => {
        this.#end();
        resolve();
      });
    });
    child.stdout?.on("data", (chunk: Buffer) => {
      this.#frames.push(chunk);
      while (this.#frames.next()) this.#take(this.#frames);
    });
    // Who is gone cannot be written to; `close` tells.
    child.stdin?.on("error", () => undefined);
  }

  /** Does one thing; another one may be asked for when it is answered. */
  ask(asked: Asked & Queued, on: Handlers): void {
    if (this.dead) return on.failed(ended());
    this.#job = { arrays: "", odd: false, texts: "", objects: undefined, on };
    this.#child.stdin?.write(frameOf(DONE, JSON.stringify(asked)));
  }

  /** Others go first from now on. There is no way back: when it has done this, it ends. */
  giveWay(): void {
    const { pid } = this.#child;
    if (this.gaveWay || this.#write || pid === undefined) return;
    this.gaveWay = true;
    try {
      setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // It is gone, or the system does not let us.
    }
  }

  /** Ends it at once, in the middle of whatever it does. */
  kill(): void {
    this.dead = true;
    this.#child.kill("SIGKILL");
  }

  /** Ends it when it has done what it does. */
  close(): void {
    this.dead = true;
    this.#child.stdin?.end();
  }

  #take(frame: FrameReader): void {
    const { kind } = frame;
    if (kind === READY) this.ready = performance.now();
    const job = this.#job;
    if (job === undefined || kind === READY) return;
    if (kind === ARRAYS || kind === ROWS) {
      const { text } = frame;
      job.arrays += text;
      if (kind === ARRAYS) job.texts += inText(text);
      // Piece by piece: all of it would have to be copied together for that.
      job.odd ||= text.includes("\uFFFD");
    } else if (kind === TEXT) job.texts += frame.text;
    else if (kind === OBJECTS) job.objects = inText(frame.text);
    else if (kind === AGAIN) job.arrays = job.texts = "";
    else if (kind === PROGRESS) job.on.progress(frame.body.readDoubleLE(0), frame.body.readDoubleLE(8));
    else this.#settle(job, kind, JSON.parse(frame.text));
  }

  #settle({ on, arrays, odd, texts, objects }: Job, kind: number, told: unknown): void {
    this.#job = undefined;
    if (kind !== FAILED) return on.done({ done: told, arrays, odd, texts: objects === undefined ? texts : "", objects });
    const failed = told as Failed; // our own process wrote it
    on.failed(failed.expose ? new DbError(failed.code as DbError["code"], failed.message) : new EngineError(failed));
  }

  #end(): void {
    this.dead = true;
    alive.delete(this.#child);
    const job = this.#job;
    this.#job = undefined;
    job?.on.failed(ended());
  }
}

/** Little memory of its own, no threads that it has no work for, and the optimising compiler soon (see `leanProcess`). */
const FLAGS = [
  "--max-old-space-size=256",
  "--max-semi-space-size=4",
  "--v8-pool-size=1",
  "--no-maglev",
  "--invocation-count-for-turbofan=400",
  "--no-warnings",
];

/** Nothing that it does not need, least of all secrets. */
function environment(): NodeJS.ProcessEnv {
  const { TMPDIR, TMP, TEMP, SystemRoot } = process.env;
  const given = { TMPDIR, TMP, TEMP, SystemRoot, UV_THREADPOOL_SIZE: "1" };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
