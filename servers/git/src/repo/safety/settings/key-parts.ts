// The parts of a key of the configuration: section, subsection and name.

export interface KeyParts {
  /** In lower case. */
  readonly section: string;
  /** As it is written. */
  readonly subsection: string | undefined;
  /** In lower case. */
  readonly name: string;
}

/** Undefined for a key without a section. A subsection may hold dots. */
export function keyParts(key: string): KeyParts | undefined {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  if (first === -1) return undefined;
  return {
    section: key.slice(0, first).toLowerCase(),
    subsection: last > first ? key.slice(first + 1, last) : undefined,
    name: key.slice(last + 1).toLowerCase(),
  };
}

/** A key as git compares it: section and name in lower case, a subsection as it is. */
export function normalKey(key: string): string {
  const parts = keyParts(key);
  if (parts === undefined) return key.toLowerCase();
  const { section, subsection, name } = parts;
  return [section, ...(subsection === undefined ? [] : [subsection]), name].join(".");
}
