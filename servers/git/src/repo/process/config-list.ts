// Settings as `git config --list -z` prints them.

export interface ConfigEntry {
  readonly key: string;
  /** Undefined where the file names the setting without a value, which means true. */
  readonly value: string | undefined;
}

export function parseConfigList(output: Buffer): ConfigEntry[] {
  return output
    .toString("utf8")
    .split("\0")
    .filter((record) => record !== "")
    .map((record) => {
      const end = record.indexOf("\n");
      return end === -1 ? { key: record, value: undefined } : { key: record.slice(0, end), value: record.slice(end + 1) };
    });
}

/** The value that counts: git uses the last one of a key. */
export const lastValue = (entries: readonly ConfigEntry[], key: string): string | undefined =>
  entries.findLast((entry) => entry.key === key)?.value;
