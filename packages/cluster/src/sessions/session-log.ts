// SessionLog: the log of one session as this node sees it: what is added here, and the clients that read it here.
import type { Addition, AppendResult, Backplane, LogPart } from "../backplane/backplane.ts";
import type { LogReader } from "./log-reader.ts";

export class SessionLog {
  readonly readers = new Set<LogReader>();
  /** Settle when what waits to be added was added. */
  readonly additions = new Set<Promise<void>>();
  isClosed = false;
  readonly #backplane: Backplane;
  readonly #key: string;
  #latest = 0;
  #appending = 0;

  constructor(backplane: Backplane, key: string) {
    this.#backplane = backplane;
    this.#key = key;
  }

  /**
   * Adds texts to a stream and writes them to the clients that read it here. `reader` reads the stream from its beginning. Rejects as
   * `Backplane.append` does.
   */
  async append(addition: Addition, reader?: LogReader): Promise<AppendResult> {
    this.#appending++;
    try {
      const result = await this.#backplane.append(this.#key, addition);
      this.#offer(addition, result, reader);
      return result;
    } finally {
      this.#appending--;
      this.#catchUp();
    }
  }

  #offer({ texts, isLast = false }: Addition, { stream, position }: AppendResult, reader: LogReader | undefined): void {
    const before = position - texts.length;
    if (reader !== undefined && reader.stream === undefined) {
      reader.isOwn = true;
      reader.begin(stream, 0, { cursor: before });
    }
    // The positions of one addition follow one another; a reader that is not at `before` reads them from the log.
    const entries = texts.map((text, at) => ({ position: before + at + 1, stream, previous: 0, text }));
    for (const one of this.readers) one.offer(before, entries, isLast && one.stream === stream);
    this.#latest = Math.max(this.#latest, position);
  }

  read(after: number, stream: number): Promise<LogPart> {
    return this.#backplane.read(this.#key, after, { stream });
  }

  /** Takes the position that another node has reached. */
  advance(position: number): void {
    this.#latest = Math.max(this.#latest, position);
    this.#catchUp();
  }

  missed(): void {
    for (const reader of this.readers) void reader.read();
  }

  #catchUp(): void {
    // What is being added here reaches the readers without the log.
    if (this.#appending > 0) return;
    for (const reader of this.readers) if (reader.stream !== undefined && reader.isBehind(this.#latest)) void reader.read();
  }

  close(): void {
    this.isClosed = true;
    for (const reader of this.readers) reader.disconnect();
  }
}
