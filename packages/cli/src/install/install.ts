// install and uninstall: writes the entry that `--print-config` prints into the settings of a host, and takes it out again. The change is shown
// first, and whatever cannot be understood is left as it is.
import { dirname, join, sep } from "node:path";
import { escapeControls } from "@oarlock/domain-kit";
import type { CliSpec } from "../cli-spec.ts";
import { readCommandLine, type CommandLine } from "../command-line.ts";
import type { HostFile } from "../doctor/hosts/host-files.ts";
import { homeOf } from "../doctor/hosts/user-folders.ts";
import { expandHome } from "../flag-value.ts";
import { switchesOf, type Flags } from "../flags.ts";
import { commandOf } from "../host-config.ts";
import { printedEntry, type EntryRequest } from "../host-entry/printed-entry.ts";
import { platform } from "../platform.ts";
import type { CliProcess } from "../process/cli-process.ts";
import { SHARED } from "../shared-flags.ts";
import { quoted, StartError } from "../start/start-error.ts";
import { checkIsOwn, entryIn, hostFileOf, wantedEntry, withEntry, withoutEntry, type WantedEntry } from "./host-settings.ts";
import { readInstallArguments, type InstallArguments, type InstallWord } from "./install-arguments.ts";
import { settingsDiff } from "./settings-diff.ts";
import { SettingsError } from "./settings-error.ts";
import { SettingsFile } from "./settings-file.ts";

interface InstallCommand {
  readonly word: InstallWord;
  readonly args: readonly string[];
}

/** Exits with 0 where the settings are as wanted. Throws a StartError for what it does not change. */
export async function runInstall<F extends Flags>(spec: CliSpec<F>, { word, args }: InstallCommand, on: CliProcess): Promise<void> {
  const given = readInstallArguments(word, args, spec.name, Object.hasOwn(spec.flags, "scope"));
  const request = readRequest(spec, given, on);
  const file = hostFileOf(given.host, given.scope, on);
  try {
    on.exit(0, on.stdout, await change(spec, { word, given, request, file, on }));
  } catch (error) {
    throw describe(error, file.path);
  }
}

interface Change<F extends Flags> {
  readonly word: InstallWord;
  readonly given: InstallArguments;
  readonly request: EntryRequest<F>;
  readonly file: HostFile;
  readonly on: CliProcess;
}

/** Returns what to print. */
async function change<F extends Flags>(spec: CliSpec<F>, { word, given, request, file, on }: Change<F>): Promise<string> {
  const name = spec.hostEntry ?? spec.name;
  const settings = new SettingsFile(
    file.path,
    rootOf(file.path, given.scope === "project" ? on.cwd() : homeOf(on.env, platform)),
    spec.name,
  );
  const before = settings.read();
  const printed = printedEntry(spec, request);
  const wanted = wantedEntry(file, name, printed.entry);
  const old = before === undefined ? undefined : entryIn(file, wanted, before);
  if (old !== undefined) checkIsOwn(name, old, spec.name, startWords(on));
  const entry = `Entry ${quoted(name)}`;
  const path = escapeControls(settings.path);
  const isInstall = word === "install";
  const after = isInstall ? installed(file, before, wanted) : uninstalled(file, before, wanted, old !== undefined);
  if (after === before || (isInstall && isSame(old, wanted)))
    return `${entry} is ${isInstall ? "already" : "not"} in ${path}. Nothing was changed.\n`;
  const diff = settingsDiff(settings.path, before, after);
  if (given.isDryRun) return `${diff}\nDry run: nothing was written.\n`;
  on.stdout.write(`${diff}\n`);
  await settings.replace(before, after, { keepsOlderBackup: !isInstall });
  if (!isInstall) settings.dropBackupIfSame(after);
  const kept = isInstall && before !== undefined ? ` The file of before is ${escapeControls(settings.backup)}.` : "";
  const notes = isInstall ? printed.notes.map((note) => `${note}\n`).join("") : "";
  return `${entry} was ${isInstall ? "written to" : "removed from"} ${path}.${kept} Restart ${file.host} to use the change.\n${notes}`;
}

/** A file that is made ends with a line break, by which removal knows it. */
const installed = (file: HostFile, before: string | undefined, wanted: WantedEntry): string =>
  before === undefined ? `${withEntry(file, "", wanted)}\n` : withEntry(file, before, wanted);

const uninstalled = (file: HostFile, before: string | undefined, wanted: WantedEntry, isThere: boolean): string | undefined =>
  before === undefined || !isThere ? before : withoutEntry(file, before, wanted);

const isSame = (old: WantedEntry["value"] | undefined, { value }: WantedEntry): boolean => JSON.stringify(old) === JSON.stringify(value);

/** The command and its first arguments, up to those of the server. */
function startWords(startedAs: CliProcess): string[] {
  const none = { switches: [], given: new Map(), positionals: [] };
  const { command, args } = commandOf({ ...none, withoutSecrets: String, changePath: String, startedAs, platform });
  return [command, ...args];
}

function readRequest<F extends Flags>(spec: CliSpec<F>, { host, serverArgs }: InstallArguments, on: CliProcess): EntryRequest<F> {
  const switches = [...switchesOf(spec.flags), ...switchesOf(SHARED)];
  const line: CommandLine<F & typeof SHARED> = readCommandLine(switches, { args: serverArgs, env: on.env, program: spec.name });
  if (spec.positionals === undefined && line.positionals.length > 0)
    throw new StartError(`${spec.name} accepts switches only. Remove the other arguments, or see ${spec.name} --help.`, 2);
  const changePath = spec.positionals?.path ?? ((positional: string, by: (path: string) => string) => by(positional));
  const positionals = line.positionals.map((positional) => changePath(positional, expandHome));
  return { host, options: line.options, positionals, given: line.given, on };
}

/** Settings that a variable puts elsewhere may lead only to their own folder. */
const rootOf = (path: string, usual: string): string => (path.startsWith(join(usual, sep)) ? usual : dirname(path));

function describe(error: unknown, path: string): unknown {
  if (error instanceof SettingsError) return new StartError(`${escapeControls(path)} ${error.message}.`, 3);
  if (error instanceof Error && "code" in error && typeof error.code === "string")
    return new StartError(`${escapeControls(path)} cannot be changed: ${error.code}. Check its permissions.`, 3);
  return error;
}
