// The error of a wrong command line.

/** Called wrongly. The message names the problem. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
