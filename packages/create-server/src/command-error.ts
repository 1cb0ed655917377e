// Errors that end the command with a message and an exit code instead of a stack trace.

/** Exit codes of every command of this project: 2 for wrong usage, 3 for an environment that does not allow the operation. */
export class CommandError extends Error {
  readonly exitCode: 2 | 3;

  constructor(exitCode: 2 | 3, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
