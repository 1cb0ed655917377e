// Why a server does not start, as its user reads it.

/**
 * Ends the start with one sentence on stderr: say what is wrong and what to do about it. Code 2 is for switches and
 * configuration, 3 for a machine that cannot serve (a program is missing, a folder is unreadable).
 * @example throw new StartError("git was not found: install it, or add it to PATH", 3);
 */
export class StartError extends Error {
  readonly code: 2 | 3;

  constructor(message: string, code: 2 | 3) {
    super(message);
    this.name = "StartError";
    this.code = code;
  }
}

/** Why there is no path to begin from, for who started it; whatever else went wrong stays as it is. */
export function inWords(error: unknown): unknown {
  switch (error instanceof Error && "syscall" in error ? error.syscall : undefined) {
    case "uv_cwd":
      return new StartError("The working directory is gone or closed to this user: start it in another one", 3);
    case "uv_os_homedir":
      return new StartError("This user has no home folder: set HOME, or name every place without ~", 3);
    default:
      return error;
  }
}

/** What the user typed, as it may stand in a sentence: quoted, on one line, not long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length <= 100 ? text : `${text.slice(0, 100)}…`);
}
