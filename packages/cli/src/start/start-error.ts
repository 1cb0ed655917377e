// Start error: why a server does not start, in a sentence for its user.
import { truncateText } from "@oarlock/domain-kit";

/**
 * Ends the start with one sentence on stderr: name the thing, the problem and the next step. Code 2 is for switches and
 * configuration, 3 for a machine that cannot run the server (a program is missing, a folder cannot be read).
 * @example throw new StartError("git was not found. Install it, or add it to PATH.", 3);
 */
export class StartError extends Error {
  readonly code: 2 | 3;

  constructor(message: string, code: 2 | 3) {
    super(message);
    this.name = "StartError";
    this.code = code;
  }
}

/** A start error where the working directory or the home directory is missing; any other error unchanged. */
export function toStartError(error: unknown): unknown {
  switch (error instanceof Error && "syscall" in error ? error.syscall : undefined) {
    case "uv_cwd":
      return new StartError("The working directory was removed or cannot be read by this user. Start in another directory.", 3);
    case "uv_os_homedir":
      return new StartError("This user has no home directory. Set HOME, or write every path without ~.", 3);
    default:
      return error;
  }
}

/** Text from the user, for a sentence: quoted, on one line, at most 100 characters. */
export function quoted(text: string): string {
  return JSON.stringify(truncateText(text, 100));
}
