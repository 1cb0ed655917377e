// The arguments of `install` and `uninstall`: the host, and two switches of their own. The others are those of the server.
import { nearestNames } from "@oarlock/domain-kit";
import { HOSTS, type Host } from "../shared-flags.ts";
import { quoted, StartError } from "../start/start-error.ts";

const SCOPES = ["user", "project"] as const;
export type Scope = (typeof SCOPES)[number];

export type InstallWord = "install" | "uninstall";

/** Hosts with a settings file. */
export type InstallHost = Exclude<Host, "json">;

export interface InstallArguments {
  readonly host: InstallHost;
  readonly scope: Scope;
  readonly isDryRun: boolean;
  /** The command line of the server. */
  readonly serverArgs: readonly string[];
}

/** Throws a StartError without a host that has a file, and for a scope that does not exist. */
export function readInstallArguments(word: InstallWord, args: readonly string[], server: string, hasOwnScope: boolean): InstallArguments {
  const rest = [...args];
  const end = rest.indexOf("--");
  const own = end === -1 ? rest.splice(0) : rest.splice(0, end);
  const isDryRun = own.includes("--dry-run");
  const scope = takeScope(own, hasOwnScope);
  // The host is the first word: before it, a switch of the server would take its value.
  const at = own.findIndex((arg) => !arg.startsWith("-"));
  const [name] = at === -1 ? [] : own.splice(at, 1);
  return { host: hostOf(name, word, server), scope, isDryRun, serverArgs: [...own.filter((arg) => arg !== "--dry-run"), ...rest] };
}

/** Takes the first `--scope user` or `--scope project`. A server may have a switch of this name with other values. */
export function takeScope(args: string[], hasOwnScope: boolean): Scope {
  for (const [at, arg] of args.entries()) {
    const [name, inline] = arg.split(/=(.*)/s);
    if (name !== "--scope") continue;
    const value = inline ?? args[at + 1];
    const scope = SCOPES.find((one) => one === value);
    if (scope === undefined && hasOwnScope) continue;
    if (scope === undefined) throw new StartError(`Unknown scope ${quoted(value ?? "")} in --scope: expected user or project.`, 2);
    args.splice(at, inline === undefined ? 2 : 1);
    return scope;
  }
  return "user";
}

function hostOf(name: string | undefined, word: InstallWord, server: string): InstallHost {
  const hosts = HOSTS.filter((host) => host !== "json");
  const known = hosts.find((host) => host === name);
  if (known !== undefined) return known;
  if (name === undefined) throw new StartError(`${server} ${word} needs a host: one of ${hosts.join(", ")}.`, 2);
  if (name === "json")
    throw new StartError(
      `Host json has no settings file of its own. Choose one of ${hosts.join(", ")}, or copy what --print-config json prints.`,
      2,
    );
  const [nearest] = nearestNames(name, hosts, 1);
  throw new StartError(
    `Unknown host ${quoted(name)}: ${nearest === undefined ? `expected one of ${hosts.join(", ")}.` : `did you mean ${nearest}?`}`,
    2,
  );
}
