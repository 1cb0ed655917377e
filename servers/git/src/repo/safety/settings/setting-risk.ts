// Which settings a repository's own configuration may hold: one table of what blocks and what is harmless, with the reason of each row. A
// harmless setting starts no program: either it only chooses how git works, or `environment.ts` and the options of each command override
// it. A setting without a row is refused by name.
import { FOREIGN_NAMED_SETTINGS, FOREIGN_SETTINGS } from "./foreign-settings.ts";
import { NAMED_SETTINGS } from "./named-settings.ts";
import { PLAIN_SETTINGS } from "./plain-settings.ts";
import type { SettingRisk, SettingRow } from "./setting-row.ts";

type RowsBySection = ReadonlyMap<string, readonly SettingRow[]>;

function bySection(rows: readonly SettingRow[]): RowsBySection {
  const found = new Map<string, SettingRow[]>();
  for (const row of rows) for (const section of row.section.split(" ")) found.set(section, [...(found.get(section) ?? []), row]);
  return found;
}

const PLAIN = bySection([...PLAIN_SETTINGS, ...FOREIGN_SETTINGS]);
const NAMED = bySection([...NAMED_SETTINGS, ...FOREIGN_NAMED_SETTINGS]);

const hasName = ({ names }: SettingRow, name: string): boolean =>
  typeof names === "string" ? names.split(" ").includes(name) : names.test(name);

/** `key` as git lists it: section and name in lower case, a subsection between them unchanged. */
export function riskOf(key: string, value: string | undefined): SettingRisk {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  const section = key.slice(0, first).toLowerCase();
  const name = key.slice(last + 1).toLowerCase();
  const subsection = last > first ? key.slice(first + 1, last) : undefined;
  const row = (subsection === undefined ? PLAIN : NAMED).get(section)?.find((one) => hasName(one, name));
  if (row === undefined) return "unsafe";
  return typeof row.risk === "string" ? row.risk : row.risk({ subsection, name, value });
}
