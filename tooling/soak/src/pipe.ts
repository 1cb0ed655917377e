/** The stdin and stdout of a server: the wire of a client, and a way to write invalid input. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { LineReader, type Wire } from "@oarlock/server-kit/protocol";

const LONGEST_LINE = 64 * 1024 * 1024;

export class Pipe implements Wire {
  onText: Wire["onText"];
  onClose: Wire["onClose"];
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
    const reader = new LineReader({ line: (text) => this.onText?.(text), fault: () => undefined }, LONGEST_LINE);
    child.stdout?.on("data", (chunk: Buffer) => reader.push(chunk));
    child.stdin?.on("error", () => undefined); // `exit` below reports the end
    child.once("exit", (code, signal) => this.onClose?.(new Error(`the server ended: ${signal ?? code}`)));
  }

  send(text: string): void {
    this.write(`${text}\n`);
  }

  /** Bytes as they are. */
  write(bytes: string | Uint8Array): void {
    this.#child.stdin?.write(bytes);
  }

  /** Lets the server's output pile up, or takes it again. */
  read(on: boolean): void {
    if (on) this.#child.stdout?.resume();
    else this.#child.stdout?.pause();
  }

  async close(): Promise<void> {
    this.onClose = undefined;
    this.#child.stdin?.end();
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, "exit");
  }
}
