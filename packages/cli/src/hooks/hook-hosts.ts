// Hook hosts: which hosts run commands at the start of a session, before compaction and at its end; in which file, and in which form.
import { nearestNames } from "@oarlock/domain-kit";
import type { Scope } from "../install/install-arguments.ts";
import type { CliProcess } from "../process/cli-process.ts";
import { userFolders } from "../doctor/hosts/user-folders.ts";
import { platform } from "../platform.ts";
import { quoted, StartError } from "../start/start-error.ts";

interface HookForm {
  /** For people. */
  readonly name: string;
  /** At the start, before compaction, at the end. */
  readonly events: readonly [start: string, compact: string, end: string];
  readonly file: (scope: Scope, folders: { home: string; env: CliProcess["env"] }) => readonly string[] | undefined;
  /** The item in the list of an event. */
  item(command: string): unknown;
  /** What a new file has besides. */
  readonly base?: object;
}

const SECONDS = 20;
/** Groups with a matcher, which may be left out. */
const grouped = (command: string): unknown => ({ hooks: [{ type: "command", command, timeout: SECONDS }] });

const FORMS = {
  // https://code.claude.com/docs/en/hooks
  "claude-code": {
    name: "Claude Code",
    events: ["SessionStart", "PreCompact", "SessionEnd"],
    file: (scope, { home, env }) =>
      scope === "project" ? [".claude", "settings.json"] : [env["CLAUDE_CONFIG_DIR"] ?? `${home}/.claude`, "settings.json"],
    item: grouped,
  },
  // https://developers.openai.com/codex/hooks: its Stop ends a turn.
  codex: {
    name: "Codex",
    events: ["SessionStart", "PreCompact", "Stop"],
    file: (scope, { home, env }) =>
      scope === "project" ? [".codex", "hooks.json"] : [env["CODEX_HOME"] ?? `${home}/.codex`, "hooks.json"],
    item: grouped,
  },
  // https://cursor.com/docs/agent/hooks
  cursor: {
    name: "Cursor",
    events: ["sessionStart", "preCompact", "sessionEnd"],
    file: (scope, { home }) => (scope === "project" ? [".cursor", "hooks.json"] : [home, ".cursor", "hooks.json"]),
    item: (command) => ({ command, timeout: SECONDS }),
    base: { version: 1 },
  },
  // https://geminicli.com/docs/hooks/reference: times in milliseconds.
  gemini: {
    name: "Gemini CLI",
    events: ["SessionStart", "PreCompress", "SessionEnd"],
    file: (scope, { home }) => (scope === "project" ? [".gemini", "settings.json"] : [home, ".gemini", "settings.json"]),
    item: (command) => ({ hooks: [{ type: "command", name: "oarlock-memory", command, timeout: SECONDS * 1000 }] }),
  },
  // https://code.visualstudio.com/docs/agent-customization/hooks: for a user it reads the settings of Claude Code.
  vscode: {
    name: "VS Code",
    events: ["SessionStart", "PreCompact", "Stop"],
    file: (scope) => (scope === "project" ? [".github", "hooks", "oarlock-memory.json"] : undefined),
    item: (command) => ({ type: "command", command, timeout: SECONDS }),
  },
} as const satisfies Record<string, HookForm>;

export type HookHost = keyof typeof FORMS;
export const HOOK_HOSTS = Object.keys(FORMS) as readonly HookHost[]; // the keys above

const WITHOUT_HOOKS = ["claude-desktop", "zed", "json"];

/** Throws a StartError for a host that has no hooks. */
export function hookHostOf(name: string | undefined): HookHost {
  const known = HOOK_HOSTS.find((host) => host === name);
  if (known !== undefined) return known;
  const hosts = `one of ${HOOK_HOSTS.join(", ")}`;
  if (name === undefined) throw new StartError(`Hooks need a host: ${hosts}.`, 2);
  if (WITHOUT_HOOKS.includes(name)) throw new StartError(`Host ${name} runs no hooks: expected ${hosts}.`, 2);
  const [nearest] = nearestNames(name, HOOK_HOSTS, 1);
  throw new StartError(`Unknown host ${quoted(name)}: ${nearest === undefined ? `expected ${hosts}` : `did you mean ${nearest}?`}.`, 2);
}

export interface HookPlace extends Pick<HookForm, "name" | "events" | "item" | "base"> {
  readonly path: string;
  /** The folder that links must not lead out of. */
  readonly root: string;
}

/** Throws a StartError for a scope without a file of its own. */
export function hookPlaceOf(host: HookHost, scope: Scope, { env, cwd }: Pick<CliProcess, "env" | "cwd">): HookPlace {
  const { rules, home } = userFolders(env, platform);
  const form: HookForm = FORMS[host];
  const words = form.file(scope, { home, env });
  if (words === undefined)
    throw new StartError(
      `VS Code has no file of a user for hooks, but reads that of Claude Code. Choose claude-code, or add --scope project.`,
      2,
    );
  const path = scope === "project" ? rules.resolve(cwd(), ...words) : rules.join(...(words as [string, ...string[]])); // never empty
  const usual = scope === "project" ? cwd() : home;
  return { ...form, path, root: path.startsWith(rules.join(usual, rules.sep)) ? usual : rules.dirname(path) };
}
