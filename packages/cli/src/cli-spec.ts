// The specification of a command line: what an author declares of a server, and what its start gets.
import type { LogLevel, Server } from "@oarlock/server-kit";
import type { Check } from "./doctor/check.ts";
import type { Flags, FlagValues } from "./flags.ts";
import type { AuditNames } from "./operations/audit.ts";
import type { WatchedStore } from "./operations/store-checks.ts";
import type { StoreFault } from "./operations/store-faults.ts";
import type { MinimalTools } from "./start/minimal-tools.ts";
import type { SharedOptions } from "./shared-flags.ts";

/** The options that `create` receives: the server's own and the shared ones. */
export type OptionsOf<F extends Flags> = FlagValues<F> & SharedOptions;

/** What `create` may use besides its options. */
export interface Start {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The secrets of `--state-key`, for what clients send back, such as cursors. The first seals, all of them open. Empty: none is set. */
  readonly stateKeys: readonly string[];
  /** Writes to stderr, as `--log-level` and `--log-format` say; use `"warning"` for skipped configuration. Never log secrets. */
  log(level: LogLevel, data: unknown): void;
  /**
   * Sets what finds further names of what a call is meant to change, for `touched` in the audit file, besides what the domain reports with
   * `reportChange` of @oarlock/domain-kit and the arguments that are names. It must not throw, and return no contents.
   */
  auditNames(namesOf: AuditNames): void;
  /** Names the SQLite databases that the server keeps, so that readiness shows when one is damaged or its disk is full. */
  watchStores(stores: readonly WatchedStore[]): void;
  /**
   * Tells what a call has found wrong with the file of a database; undefined after one that could use it. The log has one line for each
   * file and fault. Health shows damage until the server is started again, and other faults until a call can use the file.
   */
  reportStore(file: string, fault: StoreFault | undefined): void;
}

/** The arguments that belong to no switch. */
export interface Positionals {
  /** As shown in the usage line: `DIR[:ro]…`. */
  usage: string;
  help: string;
  /** Applies `change` to the path within one argument. Default: the whole argument is a path. */
  path?(positional: string, change: (path: string) => string): string;
}

/** The command line of a server. */
export interface CliSpec<F extends Flags> {
  /** The name of the binary. */
  name: string;
  version: string;
  /** One phrase for `--help`. */
  summary: string;
  /** The name of the entry that `--print-config` prints. Hosts show it, and put it before the names of tools. Default: `name`. */
  hostEntry?: string;
  /** Default: the server accepts switches only. */
  positionals?: Positionals;
  /** What the server serves when no positional is given. `--print-config` writes it down, because a host starts in another folder. */
  defaultPositionals?(options: OptionsOf<F>): readonly string[];
  flags: F;
  /** The tools of `--toolsets minimal`. Default: there is no such toolset. */
  minimal?: MinimalTools;
  /** The `server.json` of the package, for the server card over HTTP: `new URL("../server.json", import.meta.url)`. Without this file no card is served. */
  serverJson?: URL;
  /** The line on stderr once the server is ready on stdio. */
  ready?: string;
  /**
   * How long requests in flight may continue when the server stops, in milliseconds. Default 1,000 after the end of stdin, as clients kill
   * a server 4 seconds later, and 5,000 on a signal.
   */
  graceMs?: number;
  /**
   * Checks for `doctor`, besides those of every server: what this server needs on the machine. They must change nothing on disk and show
   * no secrets. Default: none.
   */
  doctor?(
    options: OptionsOf<F>,
    positionals: readonly string[],
    machine: { readonly env: Readonly<Record<string, string | undefined>> },
  ): readonly Check[] | Promise<readonly Check[]>;
  /** Creates the server. Throw a `StartError` if that is not possible. A leading `~` of positionals and paths is expanded. */
  create(options: OptionsOf<F>, positionals: readonly string[], start: Start): Server | Promise<Server>;
}
