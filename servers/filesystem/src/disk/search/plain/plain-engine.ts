// The search engine for machines on which no ripgrep binary runs: JavaScript's regular expressions, line by line, in a worker that is
// terminated when the time is over. Some ten times slower than ripgrep, and its patterns are those of JavaScript.
import type { Worker } from "node:worker_threads";
import type { Sandbox, FileHandle } from "../../access/sandbox.ts";
import { pathBelow } from "../../access/path-syntax.ts";
import { DiskError } from "../../errors.ts";
import { walk } from "../../tree/walk.ts";
import type { DirectorySearch, FilesSearch, SearchEnd, SearchEngine, SearchEvent } from "../contents/engine.ts";
import { MAX_MULTILINE_BYTES } from "../contents/options.ts";
import { searchEncoding } from "../contents/text-check.ts";
import { plainQuery, type EventBatch, type PlainQuery, type SearchRequest, type WorkerInput } from "./query.ts";
import { workerFile } from "./worker-file.ts";

/** Files that are open at a time. */
const GROUP = 64;

export const plainEngine: SearchEngine = { name: "plain", searchDirectory, searchFiles };

async function searchDirectory(search: DirectorySearch): Promise<SearchEnd> {
  const { sandbox, directory, options, signal, onFile } = search;
  const query = plainQuery({ ...options, outputMode: "files" });
  const { names, unreadable } = await textNames(search);
  const worker = await PlainWorker.start(query, signal);
  try {
    for (let at = 0; at < names.length && !signal.aborted; at += GROUP) {
      using files = new OpenFiles(sandbox, directory.path, names.slice(at, at + GROUP), query);
      const matching = new Set<number>();
      await worker.search(files.fds, (event) => {
        if (event.type === "begin") matching.add(event.file);
        return false;
      });
      if (!signal.aborted) for (const [index, name] of files.names.entries()) onFile(name, matching.has(index));
    }
  } finally {
    await worker.stop();
  }
  return { incomplete: unreadable > 0 };
}

async function searchFiles({ fds, options, signal, onEvent }: FilesSearch): Promise<SearchEnd> {
  const worker = await PlainWorker.start(plainQuery(options), signal);
  try {
    await worker.search(fds, onEvent);
  } finally {
    await worker.stop();
  }
  return { incomplete: false };
}

/** The files below a directory that may count, by their paths below it. */
async function textNames({ sandbox, directory, filter, rules, signal }: DirectorySearch): Promise<{ names: string[]; unreadable: number }> {
  const names: string[] = [];
  try {
    const { unreadable } = await walk(
      sandbox,
      directory,
      "",
      {
        entry(entry, at: string) {
          const name = at + entry.name;
          if (entry.isFile() && entry.odd !== true && filter.keeps(name)) names.push(name);
          return entry.isDirectory() && filter.mayKeepBelow(name) ? `${name}/` : undefined;
        },
      },
      { order: "deep", ignoreRules: rules, signal },
    );
    return { names, unreadable };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { names: [], unreadable: 0 };
  }
}

/** A group of files, opened through the sandbox. Binary ones are left out. */
class OpenFiles implements Disposable {
  readonly names: string[] = [];
  readonly #files: FileHandle[] = [];

  constructor(sandbox: Sandbox, directory: string, names: readonly string[], query: PlainQuery) {
    for (const name of names) {
      const file = open(sandbox, pathBelow(directory, name), query);
      if (file === undefined) continue;
      this.names.push(name);
      this.#files.push(file);
    }
  }

  get fds(): number[] {
    return this.#files.map((file) => file.fd);
  }

  [Symbol.dispose](): void {
    for (const file of this.#files) file[Symbol.dispose]();
  }
}

function open(sandbox: Sandbox, path: string, { multiline, encoding }: PlainQuery): FileHandle | undefined {
  try {
    const file = sandbox.file(path);
    const fits = !multiline || file.stat.size <= MAX_MULTILINE_BYTES;
    if (file.path === path && fits && searchEncoding(file.fd, encoding, true) !== undefined) return file;
    file[Symbol.dispose]();
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
  return undefined;
}

/** A worker with one query. It answers one request after another. */
class PlainWorker {
  readonly #worker: Worker;
  readonly #batchesRead: Int32Array<SharedArrayBuffer>;
  readonly #exited: Promise<unknown>;
  #isStopped = false;

  private constructor(worker: Worker, batchesRead: Int32Array<SharedArrayBuffer>, signal: AbortSignal) {
    this.#worker = worker;
    this.#batchesRead = batchesRead;
    this.#exited = new Promise((resolve) => worker.once("exit", resolve));
    if (signal.aborted) void this.stop();
    signal.addEventListener("abort", () => void this.stop(), { once: true });
  }

  static async start(query: PlainQuery, signal: AbortSignal): Promise<PlainWorker> {
    const { Worker } = await import("node:worker_threads");
    const batchesRead = new Int32Array(new SharedArrayBuffer(4));
    const input: WorkerInput = { query, batchesRead };
    return new PlainWorker(new Worker(workerFile(), { workerData: input, env: {}, execArgv: [] }), batchesRead, signal);
  }

  /** Resolves when all files were searched, `onEvent` returned true, or the worker was stopped. */
  async search(fds: readonly number[], onEvent: (event: SearchEvent) => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onBatch = ({ events, isLast }: EventBatch): void => {
      if (this.#isStopped) return;
      const isEnough = events.some(onEvent);
      Atomics.add(this.#batchesRead, 0, 1);
      Atomics.notify(this.#batchesRead, 0);
      if (isEnough) void this.stop();
      if (isLast) resolve();
    };
    this.#worker.on("message", onBatch);
    this.#worker.once("error", reject);
    void this.#exited.then(() => resolve());
    this.#worker.postMessage({ fds } satisfies SearchRequest, []);
    try {
      await promise;
    } finally {
      this.#worker.off("message", onBatch);
      this.#worker.off("error", reject);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#worker.terminate();
  }
}
