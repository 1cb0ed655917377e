// LogWriter: adds the messages of one stream to the log of its session, in order. Messages that wait go together. While the backplane
// does not answer, they are held back.
import { LOG_BYTES, RecordMissing, StreamRefused } from "../backplane/backplane.ts";
import { retry } from "../node/retry.ts";
import type { LogReader } from "./log-reader.ts";
import type { SessionLog } from "./session-log.ts";

/** Characters that wait while the backplane does not answer; beyond it notifications are dropped. */
const MAX_HELD_CHARS = 64 * 1024;

export interface LogWriterOptions {
  readonly log: SessionLog;
  /** Who writes: this node, or all of them. Undefined while this node has no name. */
  writer(): string | undefined;
  /** Number of the stream. Default: a new one. */
  readonly stream?: number;
  /** What the stream is for. */
  readonly about?: string;
  /** The client that reads the stream from its beginning. */
  readonly reader?: LogReader;
  /** How long the response waits before it is sent without an event id. */
  readonly responseWaitMs: number;
  /** Called when another node has taken the stream over, or the session has ended. */
  onRefused(): void;
}

export class LogWriter {
  readonly #options: LogWriterOptions;
  #stream: number | undefined;
  #writer: string | undefined;
  /** Position of the last message that is known to be in the log. */
  #position = 0;
  #waiting: string[] = [];
  #waitingChars = 0;
  #adding: readonly string[] = [];
  #isFailing = false;
  #isEnding = false;
  #isStopped = false;
  #work: Promise<void> | undefined;

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#stream = options.stream;
  }

  add(text: string): void {
    if (this.#isStopped || this.#isEnding) return;
    const isFull = this.#waitingChars > (this.#isFailing ? MAX_HELD_CHARS : LOG_BYTES);
    if (isFull && !isRequest(text)) return;
    this.#enqueue(text);
  }

  /** Ends the stream with its response; an empty text when there is none. */
  end(text: string): void {
    if (this.#isStopped || this.#isEnding) return;
    this.#isEnding = true;
    this.#enqueue(text);
    const timer = setTimeout(() => this.#sendUnnumbered(), this.#options.responseWaitMs);
    void this.#work?.then(() => clearTimeout(timer));
  }

  stop(): void {
    this.#isStopped = true;
  }

  #enqueue(text: string): void {
    this.#waiting.push(text);
    this.#waitingChars += text.length;
    if (this.#work !== undefined) return;
    const { additions } = this.#options.log;
    const work = this.#run().finally(() => {
      this.#work = undefined;
      additions.delete(work);
    });
    this.#work = work;
    additions.add(work);
  }

  async #run(): Promise<void> {
    // A later turn: what a handler sends together is added together.
    await Promise.resolve();
    while (this.#waiting.length > 0 && !this.#isStopped) {
      this.#adding = this.#waiting;
      this.#waiting = [];
      this.#waitingChars = 0;
      await this.#append(this.#adding, this.#isEnding);
      this.#adding = [];
    }
  }

  /** Adds texts, however long it takes. */
  async #append(texts: readonly string[], isLast: boolean): Promise<void> {
    const { log } = this.#options;
    const isStopped = (): boolean => this.#isStopped || log.isClosed;
    while (!isStopped()) {
      try {
        return await this.#tryAppend(texts, isLast);
      } catch (error) {
        if (isFinal(error)) return this.#refused();
        this.#isFailing = true;
      }
      // It may have taken effect: the log shows it, once it can be read.
      const isAdded = await retry(() => this.#isInLog(texts), isStopped, { ms: Infinity });
      if (isAdded === true) return;
    }
  }

  async #tryAppend(texts: readonly string[], isLast: boolean): Promise<void> {
    const { log, about, reader } = this.#options;
    // The same name to the end: it is what another node takes the stream over from.
    const writer = (this.#writer ??= this.#options.writer());
    if (writer === undefined) throw new Error("This node has no name at the moment.");
    const stream = this.#stream === undefined ? {} : { stream: this.#stream };
    const result = await log.append({ ...stream, writer, texts, isLast, ...(about !== undefined && { about }) }, reader);
    this.#stream = result.stream;
    this.#position = result.position;
    this.#isFailing = false;
  }

  /**
   * Whether an addition that seemed to fail is in the log. The number of a new stream is unknown then: it is left as it is, and another one
   * begun. Rejects when the log cannot be read.
   */
  async #isInLog(texts: readonly string[]): Promise<boolean> {
    for (let after = this.#position; ;) {
      const { entries } = await this.#options.log.read(after, this.#stream ?? 0);
      const found = entries.findIndex(({ stream, text }) => stream === this.#stream && text === texts[0]);
      const last = this.#stream === undefined ? undefined : found === -1 ? entries.at(-1) : entries[found + texts.length - 1];
      if (last === undefined) return false;
      after = last.position;
      if (found === -1) continue;
      this.#position = after;
      this.#isFailing = false;
      this.#options.log.advance(after);
      return true;
    }
  }

  #refused(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#options.onRefused();
  }

  /**
   * The client gets its response although it cannot be resumed; the log gets it later. A client that has got less or more of the log than
   * this writer knows of reads on there.
   */
  #sendUnnumbered(): void {
    if (this.#isStopped) return;
    const { log, reader } = this.#options;
    const texts = [...this.#adding, ...this.#waiting].filter((text) => text !== "");
    for (const one of log.readers) {
      const isOfStream = one === reader || (one.stream !== undefined && one.stream === this.#stream);
      if (isOfStream && one.position === this.#position) one.endWith(texts);
    }
  }
}

const isFinal = (error: unknown): boolean => error instanceof StreamRefused || error instanceof RecordMissing;

/** Whether a message is a request to the client, for which its sender waits. */
const isRequest = (text: string): boolean => text.startsWith('{"jsonrpc":"2.0","id":');
