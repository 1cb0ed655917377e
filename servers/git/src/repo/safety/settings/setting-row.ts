// What a row of the table of settings says, and the rows whose risk depends on the value.
import { isBuiltInStrategy } from "../operation/merge-strategies.ts";

/** `harmless`: always; `network`: harmless for commands that do not use the network; `unsafe`: may start a program. */
export type SettingRisk = "harmless" | "network" | "unsafe";

export interface JudgedSetting {
  readonly subsection: string | undefined;
  /** In lower case. */
  readonly name: string;
  readonly value: string | undefined;
}

export interface SettingRow {
  /** One section or several, in lower case. */
  readonly section: string;
  /** In lower case. A pattern only where git itself reads no such name: a wildcard takes in what a later git reads there. */
  readonly names: string | RegExp;
  readonly risk: SettingRisk | ((setting: JudgedSetting) => SettingRisk);
  readonly why: string;
}

export const harmless = (section: string, why: string, names: string): SettingRow => ({ section, names, risk: "harmless", why });

/** Every name of the section: where git reads nothing of it, or where none is harmless at all times. */
export const EVERY = /^/;

/**
 * git itself starts commands of these names, and an alias would answer where there is no such program: merge strategies, helpers for the
 * network and for credentials, and parts of commands (`difftool--helper`).
 */
export const aliasRisk = ({ subsection, name }: JudgedSetting): SettingRisk =>
  /^(?:merge|remote|credential)-|--/i.test(subsection ?? name) ? "unsafe" : "harmless";

/** git merges with several, and cherry-picks and rebases with the first. */
export const strategyRisk = ({ value }: JudgedSetting): SettingRisk =>
  value?.split(" ").every(isBuiltInStrategy) === true ? "harmless" : "unsafe";

export const refStorageRisk = ({ value }: JudgedSetting): SettingRisk => (/^(?:files|reftable)$/.test(value ?? "") ? "harmless" : "unsafe");

export const updateRisk = ({ value }: JudgedSetting): SettingRisk => (value?.startsWith("!") === true ? "unsafe" : "harmless");
