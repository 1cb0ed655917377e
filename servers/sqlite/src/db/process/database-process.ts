// A database process as the server sees it: one request at a time; killed where it cannot be stopped otherwise.
import { spawn, type ChildProcess } from "node:child_process";
import { constants, setPriority } from "node:os";
import { DbError } from "../errors.ts";
import {
  ARRAYS,
  ARRAYS_ONLY,
  ERROR,
  escapeForJson,
  FrameReader,
  frameOf,
  OBJECTS,
  PROGRESS,
  READY,
  REPLY,
  RESTART,
  TEXT,
} from "../protocol/frames.ts";
import type { SentError, SentRequest } from "../protocol/operations.ts";
import type { EncodedRows } from "../protocol/rows.ts";
import { limitedCommand } from "./resource-limits.ts";

export interface ProcessOptions {
  /** The script that the process runs. */
  readonly script: string;
  readonly file: string;
  readonly label: string;
  readonly write: boolean;
  readonly create: boolean;
  readonly lockdown?: boolean;
  /** The process writes files of any size: the database, or a copy of it. */
  readonly writesLargeFiles: boolean;
  /** The longest time limit of a request, in milliseconds. */
  readonly maxTimeoutMs: number;
}

export interface ReplyHandlers {
  reply(reply: unknown, rows: EncodedRows): void;
  fail(error: Error): void;
  progress(done: number, total: number): void;
}

/** An error that is not meant for the caller, with SQLite's or the system's code. */
export class EngineError extends Error {
  readonly code: string;

  constructor({ code, message }: Pick<SentError, "code" | "message">) {
    super(message);
    this.code = code;
  }
}

const crashed = (): DbError =>
  new DbError(
    "crashed",
    "The database process ended during this request: most likely the statement needs too much memory, or the file is damaged. A change is rolled back, unless it had just been completed. Ask for less.",
  );

interface CurrentRequest {
  arrays: string;
  text: string;
  objects: string | undefined;
  hasReplacementCharacter: boolean;
  readonly handlers: ReplyHandlers;
}

/** Killed when this process exits, however it exits. */
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export class DatabaseProcess {
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Takes no further requests. */
  isClosed = false;
  /** It ended in the middle of a request. */
  wasInterrupted = false;
  /** Runs with a lower priority, and ends after its request. */
  hasLowPriority = false;
  /** When the process was ready, as `performance.now()` counts; Infinity before. */
  readyAt = Infinity;
  readonly #write: boolean;
  readonly #child: ChildProcess;
  readonly #frames = new FrameReader();
  #current: CurrentRequest | undefined;

  constructor({ script, ...options }: ProcessOptions) {
    const [command, args] = limitedCommand(options, [...NODE_FLAGS, ...sourceFlags(script), script, JSON.stringify(options)]);
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"], env: minimalEnvironment(), windowsHide: true });
    this.#child = child;
    this.#write = options.write;
    running.add(child);
    const ended = Promise.withResolvers<void>();
    this.ended = ended.promise;
    const onEnd = (): void => {
      this.#onEnd();
      ended.resolve();
    };
    child.once("close", onEnd);
    child.once("error", onEnd);
    child.stdout?.on("data", (chunk: Buffer) => {
      this.#frames.push(chunk);
      while (this.#frames.next()) this.#onFrame(this.#frames);
    });
    // Writing to a process that has ended fails; `close` reports its end.
    child.stdin?.on("error", () => undefined);
  }

  /** Sends a request. The next one may follow when this one has its reply. */
  send(request: SentRequest, handlers: ReplyHandlers): void {
    if (this.isClosed) return handlers.fail(crashed());
    this.#current = { arrays: "", text: "", objects: undefined, hasReplacementCharacter: false, handlers };
    this.#child.stdin?.write(frameOf(REPLY, JSON.stringify(request)));
  }

  /** Lets other processes go first. Only a reader: a writer holds a lock for which others wait. */
  lowerPriority(): void {
    const { pid } = this.#child;
    if (this.hasLowPriority || this.#write || pid === undefined) return;
    // An ordinary user cannot raise a priority again, so the process ends after this request.
    this.hasLowPriority = true;
    try {
      setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // The process has ended, or the system does not allow it.
    }
  }

  /** Ends the process in the middle of its request: SQLite cannot be stopped within a step. */
  kill(): void {
    this.isClosed = true;
    this.wasInterrupted = this.#current !== undefined;
    this.#child.kill("SIGKILL");
  }

  /** Ends the process like {@link kill}, and its request with this error. */
  stop(reason: Error): void {
    const current = this.#current;
    this.kill();
    current?.handlers.fail(reason);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** It waits for a request. */
  get isIdle(): boolean {
    return this.#current === undefined;
  }

  /** Ends the process after its request. */
  close(): void {
    this.isClosed = true;
    this.#child.stdin?.end();
  }

  #onFrame(frame: FrameReader): void {
    const { kind } = frame;
    if (kind === READY) this.readyAt = performance.now();
    const current = this.#current;
    if (current === undefined || kind === READY) return;
    if (kind === ARRAYS || kind === ARRAYS_ONLY) {
      const { text } = frame;
      current.arrays += text;
      // Escaped piece by piece, while the process works on the next rows.
      if (kind === ARRAYS) current.text += escapeForJson(text);
      current.hasReplacementCharacter ||= text.includes("\uFFFD");
    } else if (kind === TEXT) current.text += frame.text;
    else if (kind === OBJECTS) current.objects = escapeForJson(frame.text);
    else if (kind === RESTART) current.arrays = current.text = "";
    else if (kind === PROGRESS) current.handlers.progress(frame.body.readDoubleLE(0), frame.body.readDoubleLE(8));
    else this.#settle(current, kind, JSON.parse(frame.text));
  }

  #settle({ handlers, arrays, text, objects, hasReplacementCharacter }: CurrentRequest, kind: number, message: unknown): void {
    this.#current = undefined;
    if (kind !== ERROR) {
      const rows = { arrays, text: objects === undefined ? text : "", objects, hasReplacementCharacter };
      return handlers.reply(message, rows);
    }
    const error = message as SentError; // our own process wrote it
    handlers.fail(error.isExposed ? new DbError(error.code, error.message) : new EngineError(error));
  }

  #onEnd(): void {
    this.isClosed = true;
    running.delete(this.#child);
    const current = this.#current;
    this.#current = undefined;
    this.wasInterrupted ||= current !== undefined;
    current?.handlers.fail(crashed());
  }
}

/** A small heap and one background thread. Flags of V8's compilers would void the code that Node has compiled already: a slower start. */
const NODE_FLAGS = ["--max-old-space-size=256", "--max-semi-space-size=4", "--v8-pool-size=1", "--no-warnings"];

/** A script among the sources imports the sources of our other packages; a build has them inside. */
const sourceFlags = (script: string): string[] => (script.endsWith(".ts") ? ["--conditions=oarlock-source"] : []);

/** Only what the process needs: no secrets of the server's environment. With Yarn's Plug'n'Play, NODE_OPTIONS loads what finds packages. */
function minimalEnvironment(): NodeJS.ProcessEnv {
  const { TMPDIR, TMP, TEMP, SystemRoot, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env;
  const modules = process.versions["pnp"] === undefined ? {} : { NODE_OPTIONS };
  const variables = { TMPDIR, TMP, TEMP, SystemRoot, NODE_COMPILE_CACHE, ...modules, UV_THREADPOOL_SIZE: "1" };
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
}
