/**
 * A stdio client that costs little beside the servers it measures: a request is serialised once, answers are counted by
 * their newlines, and only those that are checked are parsed.
 */
import { killTree } from "@oarlock-tooling/test-support/process-tree";
import { ServerProcess } from "@oarlock-tooling/test-support/server-process";
import { META } from "./envelope.ts";

export interface Message {
  id?: unknown;
  method?: string;
  result?: { isError?: boolean; tools?: unknown[]; content?: { text?: string }[]; structuredContent?: { nextCursor?: string } };
  error?: unknown;
}

export interface Flood {
  answers: number;
  ms: number;
  /** The time of each answer in milliseconds, where one request is in flight. */
  times: number[];
}

/** A request without its id. Each call has its own number in place of `{call}`, for what no server has seen before. */
export type Prepared = string;

/** The command of a server. */
export interface Start {
  command: readonly string[];
  env?: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 60_000;
const INITIALIZE = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } };

const NEWLINE = 10;
const BRACE = 123;

/** A notification or request names its method first; an answer does not. */
const isAnswer = (bytes: Buffer, from: number, end: number): boolean =>
  bytes[from] === BRACE && !bytes.toString("latin1", from, Math.min(end, from + 64)).includes('"method"');

export function prepare(method: string, params: object = {}): Prepared {
  return `,${JSON.stringify({ method, params }).slice(1)}\n`;
}

export class Client extends ServerProcess {
  /** From the spawn to the answer to `initialize`, in milliseconds. */
  openMs = NaN;
  #partial: Buffer[] = [];
  #last: { bytes: Buffer; from: number; end: number } = { bytes: Buffer.alloc(0), from: 0, end: 0 };
  #nextId = 1;
  #onAnswers: ((count: number) => void) | undefined;
  #onExit: ((why: Error) => void) | undefined;

  private constructor({ command: [command = "", ...args], env = {} }: Start) {
    super({ command, args, env }, ["pipe", "pipe", "pipe"]);
    this.child.stdin?.on("error", () => undefined); // `exited` reports the end of the process
    this.child.stdout?.on("data", (chunk: Buffer) => this.#read(chunk));
    void this.exited.then(() => this.#onExit?.(this.#died()));
  }

  /** Starts a server, sends `initialize` (in the modern era `server/discover`), runs `work` and ends the server. */
  static async with<T>(start: Start, work: (client: Client) => Promise<T>, modern = false): Promise<T> {
    const from = performance.now();
    const client = new Client(start);
    try {
      const hello = modern ? "server/discover" : "initialize";
      const { error } = await client.call(hello, modern ? { _meta: META } : INITIALIZE);
      client.openMs = performance.now() - from;
      if (error !== undefined) throw new Error(`${hello} was refused: ${JSON.stringify(error)}`);
      if (!modern) client.child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
      return await work(client);
    } finally {
      await client.#close();
    }
  }

  async call(method: string, params: object): Promise<Message> {
    return this.request(prepare(method, params));
  }

  async request(request: Prepared): Promise<Message> {
    await this.send(request);
    return this.last();
  }

  last(): Message {
    const { bytes, from, end } = this.#last;
    return JSON.parse(bytes.toString("utf8", from, end)) as Message; // callers check the members that they need
  }

  /** Sends one request and waits for its answer without parsing it. */
  async send(request: Prepared): Promise<void> {
    await this.flood(request, { most: 1 });
  }

  /** Keeps `depth` requests in flight for so long, or until so many were sent. */
  flood(request: Prepared, { depth = 1, ms = Infinity, most = Infinity }: { depth?: number; ms?: number; most?: number }): Promise<Flood> {
    const started = performance.now();
    const times: number[] = [];
    let answers = 0;
    let sent = 0;
    let latest = started;
    const { promise, resolve, reject } = Promise.withResolvers<Flood>();
    const watch = setInterval(() => {
      if (performance.now() - latest > PATIENCE_MS)
        reject(new Error(`no answer in ${PATIENCE_MS} ms; stderr: ${this.stderr.slice(0, 300)}`));
    }, 1000);
    const more = (count: number): void => {
      sent += count;
      latest = performance.now();
      if (count > 0) this.#write(request, count);
    };
    this.#onExit = reject;
    this.#onAnswers = (count) => {
      const now = performance.now();
      answers += count;
      if (depth === 1) times.push(now - latest);
      if (now - started < ms && sent < most) more(Math.min(count, most - sent));
      else if (answers >= sent) resolve({ answers, ms: now - started, times });
    };
    if (!this.isRunning) reject(this.#died());
    else more(Math.min(depth, most));
    return promise.finally(() => {
      clearInterval(watch);
      this.#onAnswers = undefined;
      this.#onExit = undefined;
    });
  }

  #write(request: Prepared, count: number): void {
    let text = "";
    const differs = request.includes("{call}");
    for (let left = count; left > 0; left--) {
      const id = this.#nextId++;
      text += `{"jsonrpc":"2.0","id":${id}${differs ? request.replaceAll("{call}", String(id)) : request}`;
    }
    this.child.stdin?.write(text);
  }

  #read(chunk: Buffer): void {
    let from = 0;
    let answers = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      if (this.#partial.length > 0) {
        const whole = Buffer.concat([...this.#partial, chunk.subarray(from, end)]);
        this.#partial = [];
        answers += this.#line(whole, 0, whole.length);
      } else answers += this.#line(chunk, from, end);
      from = end + 1;
    }
    if (from < chunk.length) this.#partial.push(chunk.subarray(from));
    if (answers > 0) this.#onAnswers?.(answers);
  }

  /** Returns the number of answers in the line, 0 or 1. It copies and parses nothing: at full speed it runs a million times a second. */
  #line(bytes: Buffer, from: number, end: number): number {
    if (!isAnswer(bytes, from, end)) {
      if (end > from) this.#reply(bytes.toString("utf8", from, end));
      return 0;
    }
    this.#last = { bytes, from, end };
    return 1;
  }

  /** Answers requests of the server, so that it does not wait for them. */
  #reply(line: string): void {
    const { id, method } = JSON.parse(line) as Message; // a server's own message; anything else throws here
    if (id === undefined) return;
    const result = method === "roots/list" ? { roots: [] } : {};
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
  }

  #died(): Error {
    return new Error(`the server ended; stderr: ${this.stderr.slice(0, 400)}`);
  }

  async #close(): Promise<void> {
    this.child.stdin?.end();
    const timer = setTimeout(() => killTree(this.child), 300);
    await this.exited;
    clearTimeout(timer);
  }
}
