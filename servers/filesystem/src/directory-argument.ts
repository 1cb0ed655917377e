// DIR, or DIR:ro for reading only, as it stands on the command line.

const READ_ONLY = ":ro";

export function directoryOf(thing: string): { path: string; readOnly: boolean } {
  return thing.endsWith(READ_ONLY) ? { path: thing.slice(0, -READ_ONLY.length), readOnly: true } : { path: thing, readOnly: false };
}

/** Applies `change` to the path alone. */
export function pathWithin(thing: string, change: (path: string) => string): string {
  const { path, readOnly } = directoryOf(thing);
  return change(path) + (readOnly ? READ_ONLY : "");
}
