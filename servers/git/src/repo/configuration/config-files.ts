// The files of the machine's and the user's configuration, and whether one of them has changed.
import { statSync } from "node:fs";
import { homeFolder, pathRules, variableOf, type Machine } from "../../platform.ts";
import type { ConfigRecord } from "../process/config-list.ts";

/** The files that git has read, and those that it would read if they were there. */
export function watchedFiles(records: readonly ConfigRecord[], git: string, machine: Machine): string[] {
  const files = records.flatMap(({ scope, file }) => (file === undefined || scope === "command" ? [] : [file]));
  const included = records.flatMap((record) => includedFile(record, machine) ?? []);
  return [...new Set([...files, ...included, ...usualFiles(git, machine)])].filter(pathRules(machine.platform).isAbsolute);
}

/** Where git looks, whether or not there is a file. */
function usualFiles(git: string, machine: Machine): string[] {
  const { join, dirname } = pathRules(machine.platform);
  const variable = (name: string): string | undefined => variableOf(machine, name);
  const home = homeFolder(machine);
  const xdg = variable("XDG_CONFIG_HOME") || join(home, ".config");
  const global = variable("GIT_CONFIG_GLOBAL");
  const system = variable("GIT_CONFIG_SYSTEM");
  const systemFiles = ["/etc/gitconfig", join(dirname(git), "..", "etc", "gitconfig")];
  return [
    ...(global === undefined ? [join(home, ".gitconfig"), join(xdg, "git", "config")] : [global]),
    ...(system === undefined ? systemFiles : [system]),
  ];
}

/** The file that a setting such as `include.path` names. */
function includedFile({ key, value, file }: ConfigRecord, machine: Machine): string | undefined {
  if (value === undefined || file === undefined || !/^include(?:if\.[^]*)?\.path$/.test(key)) return undefined;
  const { resolve, dirname, join } = pathRules(machine.platform);
  return value.startsWith("~/") ? join(homeFolder(machine), value.slice(2)) : resolve(dirname(file), value);
}

export interface FilesSignature {
  readonly text: string;
  /** When the last of them was changed. */
  readonly changedAt: number;
}

/** Changes whenever one of the files does. Symbolic links are followed, as many keep these files elsewhere. */
export function signatureOf(files: readonly string[]): FilesSignature {
  let changedAt = 0;
  const parts = files.map((file) => {
    const stat = statOf(file);
    if (stat === undefined) return "-";
    changedAt = Math.max(changedAt, Number(stat.ctimeMs));
    return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
  });
  return { text: parts.join(" "), changedAt };
}

function statOf(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false, bigint: true });
  } catch {
    // git, too, continues without a file that it cannot reach.
    return undefined;
  }
}
