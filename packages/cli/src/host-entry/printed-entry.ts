// The entry of a host for the command line of this start: what `--print-config` prints and `install` writes.
import type { OptionsOf, CliSpec } from "../cli-spec.ts";
import type { Value } from "../flag-value.ts";
import { switchesOf, type Flags } from "../flags.ts";
import { commandOf, configFor, placeOf, type Command } from "../host-config.ts";
import { platform } from "../platform.ts";
import type { CliProcess } from "../process/cli-process.ts";
import { withoutSecrets } from "../redaction.ts";
import { HTTP_ONLY, SHARED, type Host } from "../shared-flags.ts";
import { StartError } from "../start/start-error.ts";
import { addressOf, urlConfigFor } from "./host-url-config.ts";

/** What the command line says, with `~` expanded. */
export interface EntryRequest<F extends Flags> {
  readonly host: Host;
  readonly options: OptionsOf<F>;
  readonly positionals: readonly string[];
  readonly given: ReadonlyMap<string, readonly Value[]>;
  readonly on: CliProcess;
}

interface PrintedEntry {
  /** The text of the entry, in the format of the host. */
  readonly entry: string;
  /** The file that it belongs to, for people. */
  readonly place: string;
  /** What else to know or to do, each in whole sentences. */
  readonly notes: readonly string[];
}

/** `--print-config` itself, secrets, and switches of HTTP: without `--http` a host starts the server over stdio. */
const NOT_FOR_HOSTS: readonly string[] = ["printConfig", "stateKey", "http", ...HTTP_ONLY];

const LEFT_OUT =
  "Left out of addresses: passwords, and parameters that may be secret. Give the whole address in the variable of its switch.";

/** Throws a StartError where the host has no entries with an address. */
export function printedEntry<F extends Flags>(spec: CliSpec<F>, request: EntryRequest<F>): PrintedEntry {
  const { host, options } = request;
  const name = spec.hostEntry ?? spec.name;
  if (options.http) return urlEntry(name, request);
  const { command, hasSecrets } = startOf(spec, request);
  return { ...configFor(host, name, command), notes: hasSecrets ? [LEFT_OUT] : [] };
}

function startOf<F extends Flags>(spec: CliSpec<F>, request: EntryRequest<F>): { command: Command; hasSecrets: boolean } {
  const { options, positionals, given, on } = request;
  let hasSecrets = false;
  const command = commandOf({
    switches: [...switchesOf(spec.flags), ...switchesOf(SHARED)].filter(({ key }) => !NOT_FOR_HOSTS.includes(key)),
    given,
    positionals: positionals.length > 0 ? positionals : (spec.defaultPositionals?.(options) ?? []),
    changePath: spec.positionals?.path ?? ((positional, change) => change(positional)),
    withoutSecrets(address) {
      const visible = withoutSecrets(address);
      hasSecrets ||= visible !== address;
      return visible;
    },
    startedAs: on,
    platform,
  });
  return { command, hasSecrets };
}

/** The entry by which a host connects to the address of `--http`. */
function urlEntry<F extends Flags>(name: string, { host, options, on }: EntryRequest<F>): PrintedEntry {
  const given = addressOf(options, on.env);
  if ("reason" in given) throw new StartError(given.reason, 2);
  const address = { ...given, url: withoutSecrets(given.url) };
  const config = urlConfigFor(host, name, address);
  if ("reason" in config) throw new StartError(config.reason, 2);
  const notes = [...(given.url === address.url ? [] : [LEFT_OUT]), ...(config.note === undefined ? [] : [config.note])];
  return { entry: config.entry, place: placeOf(host), notes };
}
