// The stderr of a server for people. A server that exits at once is started a second time, with a handshake; what it then repeats is left out.

/** Lines of the first start that are compared with those of the second. */
const MAX_LINES = 1000;

export class ServerStderr {
  readonly #write: (text: string) => void;
  readonly #lines: string[] = [];
  /** How many lines the second start has repeated so far. */
  #repeated = 0;
  #rest = "";
  #isStarting = true;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  push(text: string): void {
    if (!this.#isStarting) return this.#write(text);
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#pushLine(`${line}\n`);
  }

  /** From here on everything is written as it comes. */
  endOfStart(): void {
    this.#isStarting = false;
    if (this.#rest !== "") this.#pushLine(`${this.#rest}\n`);
    this.#rest = "";
  }

  #pushLine(line: string): void {
    if (line === this.#lines[this.#repeated]) {
      this.#repeated++;
      return;
    }
    this.#repeated = 0;
    if (this.#lines.length < MAX_LINES) this.#lines.push(line);
    this.#write(line);
  }
}
