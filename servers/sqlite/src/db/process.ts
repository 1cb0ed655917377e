// One database process, seen from the server: it does one thing at a time, and what cannot be stopped otherwise is killed.
import { spawn, type ChildProcess } from "node:child_process";
import { constants, setPriority } from "node:os";
import { DbError } from "./errors.ts";
import { AGAIN, ARRAYS, DONE, FAILED, FrameReader, frameOf, inText, OBJECTS, PROGRESS, READY, ROWS, TEXT } from "./frames.ts";
import { limitsFor } from "./process-limits.ts";
import type { Asked, Failed, Queued } from "./requests.ts";

export interface ProcessOptions {
  /** The script that a process runs. */
  readonly script: string;
  readonly file: string;
  readonly label: string;
  readonly write: boolean;
  /** It writes files as large as they get: the database, or a copy of it. */
  readonly largeFiles: boolean;
  /** No statement runs longer, in milliseconds. */
  readonly longestMs: number;
}

export interface Answer {
  readonly done: unknown;
  /** Rows as arrays, in JSON without the brackets around them all; empty where the request gives none. */
  readonly arrays: string;
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
  arrays: string[];
  /** Their text, encoded while the process works on the next ones. */
  texts: string[];
  /** Few rows come as objects too, which then are the text. */
  objects: string | undefined;
  readonly on: Handlers;
}

export interface Handlers {
  readonly done: (answer: Answer) => void;
  readonly failed: (error: Error) => void;
  readonly progress?: ((done: number, total: number) => void) | undefined;
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
      for (const { kind, body } of this.#frames.push(chunk)) this.#take(kind, body);
    });
    // Who is gone cannot be written to; `close` tells.
    child.stdin?.on("error", () => undefined);
  }

  /** Does one thing; another one may be asked for when it is answered. */
  ask(asked: Asked & Queued, on: Handlers): void {
    if (this.dead) return on.failed(ended());
    this.#job = { arrays: [], texts: [], objects: undefined, on };
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

  #take(kind: number, body: Buffer): void {
    if (kind === READY) this.ready = performance.now();
    const job = this.#job;
    if (job === undefined || kind === READY) return;
    if (kind === ARRAYS) {
      const text = body.toString();
      job.arrays.push(text);
      job.texts.push(inText(text));
    } else if (kind === ROWS) job.arrays.push(body.toString());
    else if (kind === TEXT) job.texts.push(body.toString());
    else if (kind === OBJECTS) job.objects = inText(body.toString());
    else if (kind === AGAIN) job.arrays.length = job.texts.length = 0;
    else if (kind === PROGRESS) job.on.progress?.(body.readDoubleLE(0), body.readDoubleLE(8));
    else this.#settle(job, kind, body);
  }

  #settle(job: Job, kind: number, body: Buffer): void {
    this.#job = undefined;
    const told: unknown = JSON.parse(body.toString());
    if (kind !== FAILED) return job.on.done(answerOf(told, job));
    const failed = told as Failed; // our own process wrote it
    job.on.failed(failed.expose ? new DbError(failed.code as DbError["code"], failed.message) : new EngineError(failed));
  }

  #end(): void {
    this.dead = true;
    alive.delete(this.#child);
    const job = this.#job;
    this.#job = undefined;
    job?.on.failed(ended());
  }
}

function answerOf(done: unknown, { arrays, texts, objects }: Job): Answer {
  return { done, arrays: arrays.join(""), objects, texts: objects === undefined ? texts.join("") : "" };
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
