// What the settings of a repository's own configuration may do. A harmless setting starts no program: either it only chooses how git works,
// or `environment.ts` and the options of each command override it, or git reads no such section. What is not known is refused where git
// may read it.
import { NAMED_SETTINGS } from "./named-settings.ts";
import { PLAIN_SETTINGS } from "./plain-settings.ts";
import { keyParts, type KeyParts } from "./key-parts.ts";
import { OTHERS, type NewSettings, type SettingRisk, type SettingRow } from "./setting-row.ts";
import { UNREAD_SECTIONS } from "./unread-sections.ts";

type RowsBySection = ReadonlyMap<string, readonly SettingRow[]>;

function bySection(rows: readonly SettingRow[]): RowsBySection {
  const found = new Map<string, SettingRow[]>();
  for (const row of rows) for (const section of row.section.split(" ")) found.set(section, [...(found.get(section) ?? []), row]);
  return found;
}

const PLAIN = bySection(PLAIN_SETTINGS);
const NAMED = bySection(NAMED_SETTINGS);

/** Sections that only these commands read: a name that has no row blocks them and no others. */
const READERS = new Map<string, SettingRisk>([
  ...["remote", "fetch", "push", "transfer", "promisor", "http", "credential", "protocol", "url", "ssh", "clone"].map(
    (one) => [one, "network"] as const,
  ),
  ...["user", "author", "committer", "commit", "rebase", "revert", "stash", "init", "add"].map((one) => [one, "change"] as const),
  ["merge", "merge"],
]);

const hasName = ({ names }: SettingRow, name: string): boolean =>
  typeof names === "string" ? names.split(" ").includes(name) : names.test(name);

/** Whether this server knows what git 2.55 does with a section. */
export const isKnownSection = (section: string): boolean => PLAIN.has(section) || NAMED.has(section) || UNREAD_SECTIONS.has(section);

/** The row of a key. */
const rowOf = ({ section, subsection, name }: KeyParts): SettingRow | undefined =>
  (subsection === undefined ? PLAIN : NAMED).get(section)?.find((one) => hasName(one, name));

/** Whether only the row {@link OTHERS} of a section judges a key. */
export const isOtherName = (key: KeyParts): boolean => rowOf(key)?.names === OTHERS;

/**
 * `key` as git lists it: section and name in lower case, a subsection between them unchanged. `newSettings`: what the git in use reads and
 * this server does not know.
 */
export function riskOf(key: string, value: string | undefined, newSettings: NewSettings = new Set()): SettingRisk {
  const parts = keyParts(key);
  // git writes no name without a section.
  if (parts === undefined) return "unknown";
  const { section, subsection, name } = parts;
  const row = rowOf(parts);
  if (row?.names === OTHERS && newSettings.has(`${section}.${name}`)) return "unknown";
  if (row !== undefined) return typeof row.risk === "string" ? row.risk : row.risk({ subsection, name, value });
  if (PLAIN.has(section) || NAMED.has(section)) return READERS.get(section) ?? "unknown";
  return newSettings.has(section) ? "unknown" : "harmless";
}
