// Errors that end the command with a message and an exit code instead of a stack trace.

import { printable } from "./printable.ts";

/** Exit codes of every command of this project: 2 for wrong usage, 3 for an environment that does not allow the operation. */
export class CommandError extends Error {
  readonly exitCode: 2 | 3;

  constructor(exitCode: 2 | 3, message: string) {
    super(printable(message)); // it quotes arguments and paths
    this.exitCode = exitCode;
  }
}
