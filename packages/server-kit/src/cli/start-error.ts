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

/** What the user typed, as it may stand in a sentence: quoted, on one line, not long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length <= 100 ? text : `${text.slice(0, 100)}…`);
}
