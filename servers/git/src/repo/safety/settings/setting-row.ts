// What a row of the table of settings says, and the rows whose risk depends on the value.
import { isBuiltInStrategy } from "../operation/merge-strategies.ts";

/**
 * `harmless`: always; `network`, `change` and `merge`: for commands that do not use the network, change nothing, or merge no files;
 * `unsafe`: may start a program or lead out of the repository; `unknown`: not reviewed yet.
 */
export type SettingRisk = "harmless" | "network" | "change" | "merge" | "unsafe" | "unknown";

/** `section` of an unknown section and `section.name` of an unknown name in a known one, in lower case. */
export type NewSettings = Pick<ReadonlySet<string>, "has">;

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

/** A row of settings that are always harmless. `section` and `names` hold several words with a blank between them. */
export const harmless = (section: string, why: string, names: string): SettingRow => ({ section, names, risk: "harmless", why });

/** Stands for every name of a section: one that git does not read, or one in which each name is judged alike. */
export const EVERY = /^/;

/**
 * Stands for the names without a row in a section where other programs write theirs: git 2.55 reads none of them, by its source. A later git
 * may read one, and lists it.
 */
export const OTHERS = /^(?:)/;

/**
 * git itself starts commands of these names, and an alias would answer where there is no such program: merge strategies, helpers for the
 * network and for credentials, and parts of commands (`difftool--helper`).
 */
export const aliasRisk = ({ subsection, name }: JudgedSetting): SettingRisk =>
  /^(?:merge|remote|credential)-|--/i.test(subsection ?? name) ? "unsafe" : "harmless";

/** The value lists merge strategies: git merges with all of them, and cherry-picks and rebases with the first. */
export const strategyRisk = ({ value }: JudgedSetting): SettingRisk =>
  value?.split(" ").every(isBuiltInStrategy) === true ? "harmless" : "merge";

/** Options that change how a merge is reported, and whether it makes a commit where none is needed. */
const MERGE_OPTION = /^(?:--(?:no-)?(?:ff|edit|stat|summary|log)|--ff-only|--log=\d+|-n)$/;

/** The value holds options of `git merge`: another one may name a strategy, which may be a program or an alias. */
export const mergeOptionsRisk = ({ value }: JudgedSetting): SettingRisk =>
  value !== undefined && value.split(/[ \t]+/).every((option) => option === "" || MERGE_OPTION.test(option)) ? "harmless" : "merge";

/** Another value is an address, which names a folder for the refs. */
export const refStorageRisk = ({ value }: JudgedSetting): SettingRisk => (/^(?:files|reftable)$/.test(value ?? "") ? "harmless" : "unsafe");

const MAX_FILTER_NAME_LENGTH = 1000;

/** Filters are switched off by name: one that is not UTF-8, or too long for an environment, cannot be. */
export const filterRisk = ({ subsection = "" }: JudgedSetting): SettingRisk =>
  subsection.includes("\uFFFD") || subsection.length > MAX_FILTER_NAME_LENGTH ? "unsafe" : "harmless";

/** A value that begins with "!" is a command. */
export const updateRisk = ({ value }: JudgedSetting): SettingRisk => (value?.startsWith("!") === true ? "unsafe" : "harmless");

/** Names of `http` that hold a number. */
export const HTTP_NUMBERS = {
  why: "sizes, times and counts of a transfer",
  names:
    "postbuffer version lowspeedlimit lowspeedtime maxrequests minsessions keepaliveidle keepaliveinterval keepalivecount maxretries " +
    "maxretrytime retryafter noepsv",
} as const;
