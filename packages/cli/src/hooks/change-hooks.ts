// hooks install and remove: writes commands into the hooks of a host and takes them out again. The change is shown first, and whatever cannot be
// understood is left as it is.
import { escapeControls } from "@oarlock/domain-kit";
import { shellCommand } from "../doctor/hosts/shell-command.ts";
import { commandOf } from "../host-config.ts";
import { takeScope } from "../install/install-arguments.ts";
import { settingsDiff } from "../install/settings-diff.ts";
import { SettingsError } from "../install/settings-error.ts";
import { SettingsFile } from "../install/settings-file.ts";
import { platform } from "../platform.ts";
import { thisProcess, type CliProcess } from "../process/cli-process.ts";
import { StartError } from "../start/start-error.ts";
import { hookHostOf, hookPlaceOf, type HookPlace } from "./hook-hosts.ts";
import { hasOwn, newHooks, withHooks, withoutHooks, type IsOwn } from "./hook-settings.ts";

export interface HookChange {
  readonly action: "install" | "remove";
  /** The program, which names the backup. */
  readonly program: string;
  /** HOST, --scope user or project, --dry-run; all others are left to `command`. */
  readonly args: readonly string[];
  /** The words behind the program that a hook runs. */
  command(host: string, rest: readonly string[]): readonly string[];
}

/** Returns what to print. Throws a StartError for what it does not change. */
export async function changeHooks(change: HookChange, on: CliProcess = thisProcess()): Promise<string> {
  const own = [...change.args];
  const isDryRun = own.includes("--dry-run");
  const scope = takeScope(own, true);
  const at = own.findIndex((arg) => !arg.startsWith("-"));
  const host = hookHostOf(at === -1 ? undefined : own.splice(at, 1)[0]);
  const rest = own.filter((arg) => arg !== "--dry-run");
  const place = hookPlaceOf(host, scope, on);
  const words = change.command(host, rest);
  const command = shellCommand([...startOf(on), ...words] as [string, ...string[]], platform).command; // begins with the program
  const marker = words.slice(0, 3).join(" ");
  const start = shellCommand(startOf(on), platform).command;
  const isOwn: IsOwn = (item) => commandsIn(item).some((one) => isOwnCommand(one, marker, [start, change.program]));
  try {
    return await write(change, place, { command, isOwn, isDryRun });
  } catch (error) {
    if (error instanceof SettingsError) throw new StartError(`${escapeControls(place.path)} ${error.message}.`, 3);
    if (error instanceof Error && "code" in error && typeof error.code === "string")
      throw new StartError(`${escapeControls(place.path)} cannot be changed: ${error.code}. Check its permissions.`, 3);
    throw error;
  }
}

interface Writing {
  readonly command: string;
  readonly isOwn: IsOwn;
  readonly isDryRun: boolean;
}

async function write({ action, program }: HookChange, place: HookPlace, { command, isOwn, isDryRun }: Writing): Promise<string> {
  const settings = new SettingsFile(place.path, place.root, program);
  const path = escapeControls(settings.path);
  const before = settings.read();
  const isInstalled = before !== undefined && hasOwn(before, place, isOwn);
  const without = isInstalled ? withoutHooks(before, place, isOwn) : before;
  const isInstall = action === "install";
  const installed = (): string => (without === undefined ? newHooks(place, command) : withHooks(without, place, command));
  const after = isInstall ? installed() : without;
  if (after === before) return `Hooks are ${isInstall ? "already" : "not"} in ${path}. Nothing was changed.\n`;
  const diff = settingsDiff(settings.path, before, after);
  if (isDryRun) return `${diff}\nDry run: nothing was written.\n`;
  await settings.replace(before, after, { keepsOlderBackup: !isInstall });
  if (!isInstall) settings.dropBackupIfSame(after);
  const kept = isInstall && before !== undefined ? ` The file of before is ${escapeControls(settings.backup)}.` : "";
  return `${diff}\nHooks were ${isInstall ? "written to" : "removed from"} ${path}.${kept} Restart ${place.name} to use the change.\n`;
}

/** The command and its first arguments, up to those of the program. */
function startOf(startedAs: CliProcess): [string, ...string[]] {
  const none = { switches: [], given: new Map(), positionals: [] };
  const { command, args } = commandOf({ ...none, withoutSecrets: String, changePath: String, startedAs, platform });
  return [command, ...args];
}

/** Whether it has the words of a hook, started as this process or by the name of the program or package. */
function isOwnCommand(command: string, marker: string, [start, program]: readonly [string, string]): boolean {
  const [before] = command.split(` ${marker}`);
  if (before === undefined || before === command) return false;
  return before === start || new RegExp(String.raw`(?:^|[\s/\\'"@])${program.replace("-", "[-/]")}(?:@[^\s/]+)?['"]?$`).test(before);
}

function commandsIn(item: unknown): string[] {
  if (typeof item !== "object" || item === null) return [];
  const { command, hooks } = item as { command?: unknown; hooks?: unknown }; // looked into below
  return [...(typeof command === "string" ? [command] : []), ...(Array.isArray(hooks) ? hooks.flatMap(commandsIn) : [])];
}
