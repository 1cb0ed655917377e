// Settings as `git config --list -z` prints them.

export interface ConfigEntry {
  readonly key: string;
  /** Undefined where the file names the setting without a value, which means true. */
  readonly value: string | undefined;
}

/** A setting with the file that holds it. */
export interface ConfigRecord extends ConfigEntry {
  /** `system`, `global`, `local`, `worktree` or `command`. */
  readonly scope: string;
  /** Undefined for a setting of the environment. */
  readonly file: string | undefined;
}

const RECORD_FIELDS = 3;

export function parseConfigList(output: Buffer): ConfigEntry[] {
  return output
    .toString("utf8")
    .split("\0")
    .filter((record) => record !== "")
    .map(parseEntry);
}

/** `output`: with `--show-scope --show-origin`. */
export function parseConfigRecords(output: Buffer): ConfigRecord[] {
  const fields = output.toString("utf8").split("\0");
  const records: ConfigRecord[] = [];
  for (let at = 0; at + RECORD_FIELDS <= fields.length; at += RECORD_FIELDS) {
    const [scope = "", origin = "", record = ""] = fields.slice(at, at + RECORD_FIELDS);
    records.push({ scope, file: /^file:([^]+)$/.exec(origin)?.[1], ...parseEntry(record) });
  }
  return records;
}

/** A key and, behind a line break, its value. */
function parseEntry(record: string): ConfigEntry {
  const end = record.indexOf("\n");
  return end === -1 ? { key: record, value: undefined } : { key: record.slice(0, end), value: record.slice(end + 1) };
}

/** The value that counts: git uses the last one of a key. */
export const lastValue = (entries: readonly ConfigEntry[], key: string): string | undefined =>
  entries.findLast((entry) => entry.key === key)?.value;
