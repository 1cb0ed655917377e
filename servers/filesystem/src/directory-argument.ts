// The directories on the command line: DIR, or DIR:ro for reading only.

const READ_ONLY = ":ro";

export function parseDirectory(argument: string): { path: string; readOnly: boolean } {
  return argument.endsWith(READ_ONLY)
    ? { path: argument.slice(0, -READ_ONLY.length), readOnly: true }
    : { path: argument, readOnly: false };
}

/** Changes the path of an argument and keeps its `:ro`. */
export function changePath(argument: string, change: (path: string) => string): string {
  const { path, readOnly } = parseDirectory(argument);
  return change(path) + (readOnly ? READ_ONLY : "");
}
