// One connection to an HTTP server, as bytes: for what no client library would send.
import { connect, type Socket } from "node:net";

/** How long a test waits for what must come. Only used up by a test that fails. */
const DEADLINE_MS = 60_000;

export class RawHttp implements Disposable {
  /** All that came so far, a character for each byte. */
  came = "";
  /** Resolves when the other side has closed the connection, by whatever way. */
  readonly closed: Promise<void>;
  readonly socket: Socket;
  #over = false;
  readonly #watchers = new Set<() => void>();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding("latin1").on("data", (text: string) => {
      this.came += text;
      this.#look();
    });
    socket.on("error", () => undefined); // `closed` reports it
    this.closed = new Promise((resolve) => {
      const over = (): void => {
        this.#over = true;
        this.#look();
        resolve();
      };
      socket.on("end", over).on("close", over);
    });
  }

  static async open(port: number, options: { allowHalfOpen?: boolean } = {}): Promise<RawHttp> {
    const socket = connect({ port, host: "127.0.0.1", ...options });
    const raw = new RawHttp(socket);
    await new Promise<void>((resolve, reject) => void socket.once("connect", resolve).once("error", reject));
    return raw;
  }

  /** Sends text and gives what came until the other side closed. */
  static async exchange(port: number, text: string | Uint8Array): Promise<string> {
    using raw = await RawHttp.open(port);
    raw.write(text);
    await raw.ends();
    return raw.came;
  }

  write(text: string | Uint8Array): boolean {
    return this.socket.write(text);
  }

  /** Still open, both ways. */
  get isOpen(): boolean {
    return !this.#over;
  }

  /** The status codes that came, one for each answer. */
  get statuses(): number[] {
    return [...this.came.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  /** Resolves when this many answers have begun and what came last fits `pattern`. */
  answers(count: number, pattern = /(?:)/): Promise<number[]> {
    return this.#until(() => this.statuses.length >= count && pattern.test(this.came), `${count} answers`).then(() => this.statuses);
  }

  ends(): Promise<void> {
    return this.#until(() => this.#over, "an end");
  }

  #until(true_: () => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        if (!true_() && !this.#over) return;
        clearTimeout(timer);
        this.#watchers.delete(done);
        if (true_()) resolve();
        else reject(new Error(`the connection ended before ${what}; it sent ${JSON.stringify(this.came.slice(-500))}`));
      };
      const timer = setTimeout(() => {
        this.#watchers.delete(done);
        reject(new Error(`no ${what} in ${DEADLINE_MS} ms; it sent ${JSON.stringify(this.came.slice(-500))}`));
      }, DEADLINE_MS);
      this.#watchers.add(done);
      done();
    });
  }

  #look(): void {
    for (const watcher of this.#watchers) watcher();
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}
