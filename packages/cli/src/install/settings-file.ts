// Settings file: reads the settings of a host, and replaces them in one step, with a backup beside them.
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { TemporaryFile } from "@oarlock/domain-kit";
import { SettingsError } from "./settings-error.ts";

const MAX_BYTES = 20_000_000;
/** Settings may hold tokens. */
const NEW_FILE_MODE = 0o600;

export class SettingsFile {
  /** Without links. */
  readonly path: string;
  /** The backup of before the last change by this program. */
  readonly backup: string;

  /**
   * @param root The folder that links must not lead out of.
   * @param program Names the backup.
   * @throws SettingsError for a link that leads elsewhere, and for what is not a file.
   */
  constructor(path: string, root: string, program: string) {
    this.path = resolveInside(path, root);
    this.backup = `${this.path}.${program}.bak`;
  }

  /** Undefined where the file does not exist. Throws a SettingsError for one that cannot be read as text. */
  read(): string | undefined {
    const stat = statSync(this.path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (!stat.isFile()) throw new SettingsError("is not a file. Remove it, or rename it");
    if (stat.size > MAX_BYTES) throw new SettingsError("is too large to be a settings file. Check it");
    const bytes = readFileSync(this.path);
    const text = bytes.toString("utf8");
    if (!Buffer.from(text).equals(bytes)) throw new SettingsError("is not UTF-8. Save it as UTF-8");
    return text;
  }

  /** Replaces what was read before. Throws a SettingsError where the file has changed since. */
  async replace(before: string | undefined, after: string | undefined, { keepsOlderBackup = false } = {}): Promise<void> {
    mkdirSync(dirname(this.path), { recursive: true });
    if (before !== undefined && !(keepsOlderBackup && existsSync(this.backup))) await this.#write(this.backup, before);
    this.#checkUnchanged(before);
    if (after === undefined) return rmSync(this.path);
    await this.#write(this.path, after, () => this.#checkUnchanged(before));
  }

  /** Replaces a file in one step, with the permissions of the settings. A link in its place is replaced, not followed. */
  async #write(path: string, text: string, check?: () => void): Promise<void> {
    const folder = dirname(path);
    const mode = statSync(this.path, { throwIfNoEntry: false })?.mode;
    using file = new TemporaryFile({ at: (name) => join(folder, name) }, { mode: NEW_FILE_MODE });
    await file.write(text);
    await file.sync();
    if (mode !== undefined) chmodSync(join(folder, file.name), mode & 0o7777);
    file.close();
    check?.();
    await file.replace(basename(path));
  }

  /** Removes the backup where the file is as it was before the entry: it would say the same. */
  dropBackupIfSame(text: string | undefined): void {
    if (lstatSync(this.backup, { throwIfNoEntry: false })?.isFile() !== true) return;
    if (text === undefined || readFileSync(this.backup, "utf8") === text) rmSync(this.backup);
  }

  #checkUnchanged(before: string | undefined): void {
    if (this.read() !== before) throw new SettingsError("was changed by another program meanwhile. Nothing was written. Try again");
  }
}

/** The path without links. What does not exist yet is made below the folder that exists. */
function resolveInside(path: string, root: string): string {
  let existing = path;
  while (!existsSync(existing)) {
    // A link that leads nowhere does not exist for `existsSync`.
    if (lstatSync(existing, { throwIfNoEntry: false }) !== undefined)
      throw new SettingsError("is reached by a link that leads nowhere. Remove the link");
    if (dirname(existing) === existing) break;
    existing = dirname(existing);
  }
  const real = join(realpathSync(existing), relative(existing, path));
  const from = existsSync(root) ? relative(realpathSync(root), real) : "";
  if (from === ".." || from.startsWith(`..${sep}`) || isAbsolute(from))
    throw new SettingsError(`is reached by a link that leads out of ${root}. Edit the file that it leads to by hand`);
  return real;
}
