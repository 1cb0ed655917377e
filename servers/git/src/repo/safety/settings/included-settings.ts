// Files that a repository's own configuration includes (include, includeIf). git reads them as it reads the configuration, so each is read
// whole, and what it holds is judged, whether or not its condition is met. Only sections that this server does not act on itself are taken:
// who commits, and how programs of the user and the network work. Whatever cannot be looked at counts as unsafe.
import { closeSync, fstatSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import type { ConfigEntry } from "../../process/config-list.ts";
import { entryAt, openPlain, readWhole } from "../file-entry.ts";
import { fileSignature, isSettled } from "../git-directory/git-directory-check.ts";
import { isOfTrustedUser } from "../repository-owner.ts";
import { parseConfig, type SettingPolicy } from "../repository-config.ts";
import { isInside, realPath, type Sandbox } from "../sandbox.ts";
import { keyParts, normalKey } from "./key-parts.ts";
import { isKnownSection, riskOf } from "./setting-risk.ts";
import type { SettingRisk } from "./setting-row.ts";
import { UNREAD_SECTIONS } from "./unread-sections.ts";

/** git follows ten includes one after another. */
const MAX_DEPTH = 10;
const MAX_FILES = 32;
const MAX_BYTES = 1024 * 1024;

const TAKEN_SECTIONS: ReadonlySet<string> = new Set(
  (
    "user author committer commit tag gpg http credential url ssh protocol init color advice alias log status diff pull push merge " +
    "rebase pretty format grep column pager"
  ).split(" "),
);
const TAKEN_CORE: ReadonlySet<string> = new Set(
  "autocrlf eol safecrlf whitespace abbrev editor pager commentchar commentstring excludesfile attributesfile sshcommand".split(" "),
);

/** Whether git follows the setting. */
export const isInclude = ({ key }: ConfigEntry): boolean => key === "include.path" || /^includeif\.[^]*\.path$/.test(key);

export interface IncludeContext {
  readonly git: string;
  /** The git directories of the repository. */
  readonly gitDirs: readonly string[];
  readonly sandbox: Pick<Sandbox, "folders">;
  /** What `~` stands for; git has it with commands that use the network or run hooks. */
  readonly home: string;
  readonly policy: SettingPolicy;
  readonly signal?: AbortSignal | undefined;
}

export class IncludedSettings {
  /** What an include may do, by its key. */
  readonly risks = new Map<string, Set<SettingRisk>>();
  readonly #context: IncludeContext;
  readonly #files = new Map<string, string>();

  constructor(context: IncludeContext) {
    this.#context = context;
  }

  /** Reads what one file of the configuration includes. */
  async read(file: string, entries: readonly ConfigEntry[]): Promise<void> {
    for (const entry of entries) {
      if (!isInclude(entry) || this.#isAllowed(entry)) continue;
      const risks = this.risks.get(entry.key) ?? new Set();
      this.risks.set(entry.key, risks);
      await this.#judge(dirname(file), entry, risks, 1);
    }
  }

  /** Whether each file is as it was when it was read. */
  isUnchanged(): boolean {
    return [...this.#files].every(([path, signature]) => signature === signatureOf(path));
  }

  /** Whether a second change of a file would have another time. */
  isSettled(): boolean {
    return [...this.#files.keys()].every((path) => isSettled(entryAt(path)));
  }

  async #judge(folder: string, { value }: ConfigEntry, risks: Set<SettingRisk>, depth: number): Promise<void> {
    const path = this.#pathOf(folder, value);
    if (path === undefined || depth > MAX_DEPTH || (!this.#files.has(path) && this.#files.size >= MAX_FILES)) {
      risks.add("unsafe");
      return;
    }
    this.#files.set(path, signatureOf(path));
    const entries = await this.#settingsIn(path);
    if (entries === undefined) risks.add("unsafe");
    for (const entry of entries ?? []) {
      if (this.#isAllowed(entry)) continue;
      if (isInclude(entry)) await this.#judge(dirname(path), entry, risks, depth + 1);
      else risks.add(this.#riskOf(entry));
    }
  }

  #isAllowed({ key }: ConfigEntry): boolean {
    return this.#context.policy.allowed.has(normalKey(key));
  }

  #riskOf({ key, value }: ConfigEntry): SettingRisk {
    const parts = keyParts(key);
    if (parts === undefined) return "unsafe";
    const { section, subsection, name } = parts;
    const isTaken =
      TAKEN_SECTIONS.has(section) ||
      UNREAD_SECTIONS.has(section) ||
      !isKnownSection(section) ||
      (section === "core" && subsection === undefined && TAKEN_CORE.has(name));
    return isTaken ? riskOf(key, value, this.#context.policy.newSettings) : "unsafe";
  }

  /** As git spells it; undefined where git could come to another file than this check. */
  #pathOf(folder: string, value: string | undefined): string | undefined {
    if (value === undefined || value === "" || /^(?:%\(|:\(|~[^/])/.test(value)) return undefined;
    const path = value.startsWith("~") ? `${this.#context.home}${value.slice(1)}` : isAbsolute(value) ? value : `${folder}/${value}`;
    return isAbsolute(path) ? path : undefined;
  }

  /** Empty where there is no file; undefined for one that cannot be read whole, or that a checkout or a tool could change. */
  async #settingsIn(path: string): Promise<readonly ConfigEntry[] | undefined> {
    const { sandbox, gitDirs, git, signal } = this.#context;
    const plain = resolve(path);
    const isWithin = (folder: string): boolean => isInside(plain, folder);
    if (sandbox.folders.some(({ real }) => isWithin(real)) && !gitDirs.some(isWithin)) return undefined;
    let text: Buffer | undefined;
    try {
      if (entryAt(path) === undefined && entryAt(plain) === undefined) return [];
      // Through a symbolic link it could become another file unseen.
      if (realPath(path) !== plain) return undefined;
      text = readTrusted(plain);
    } catch {
      return undefined;
    }
    if (text === undefined || text.includes(0)) return undefined;
    const settings = await parseConfig(git, text, signal);
    return typeof settings === "string" ? undefined : settings;
  }
}

/** A file in a folder that may not be entered has none. It is unsafe, and looked at again with each call. */
function signatureOf(path: string): string {
  try {
    return fileSignature(path);
  } catch {
    return "unreadable";
  }
}

/** Undefined for anything but a whole plain file of this user. */
function readTrusted(path: string): Buffer | undefined {
  const file = openPlain(path);
  try {
    const stat = fstatSync(file);
    const { size, uid, dev } = stat;
    const isTaken = stat.isFile() && size <= MAX_BYTES && isOfTrustedUser(uid) && dev !== entryAt("/proc")?.dev;
    return isTaken ? readWhole(file, size) : undefined;
  } finally {
    closeSync(file);
  }
}
