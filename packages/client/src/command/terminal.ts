// Terminal of a run of the command: its streams, its variables and Ctrl+C. Tests run the command on streams of their own.
import type { Readable, Writable } from "node:stream";
import { printable } from "./output.ts";

/** What the command uses of its process. */
export interface CommandProcess {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

export class Terminal {
  readonly process: CommandProcess;
  /** Ctrl+C. */
  readonly signal: AbortSignal;

  constructor(process: CommandProcess, signal: AbortSignal) {
    this.process = process;
    this.signal = signal;
  }

  /** Whether a person reads and answers. */
  get isInteractive(): boolean {
    return this.process.stdin.isTTY === true && this.process.stderr.isTTY === true;
  }

  // Whatever the command prints goes through these three: names and texts of servers and files may hold anything.

  /** A line on stderr. */
  writeStderr(line: string): void {
    this.forward(`${line}\n`);
  }

  /** Text of another program on stderr. */
  forward(text: string): void {
    this.process.stderr.write(printable(text));
  }

  /** A result on stdout. */
  print(text: string): void {
    this.process.stdout.write(printable(text));
  }
}
