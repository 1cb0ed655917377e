// The process of a server: command line in, stdio or HTTP served, exit code out. The only entry of a server's bin.
import type { LogLevel, Server } from "@oarlock/server-kit";
import { guardStdout, serveStdio } from "@oarlock/server-kit/node";
import { switchesOf, type Flags, type Read, type Switch } from "./flags.ts";
import { heldLog, type HeldLog } from "./held-log.ts";
import { requireNode } from "./node-version.ts";
import { parse, type Parsed } from "./parse.ts";
import { faultLine, leave, watchProcess } from "./process-life.ts";
import { expandHome } from "./read-value.ts";
import { selects, selectTools } from "./select-tools.ts";
import { givenLimits, HTTP_ONLY, SHARED, type SharedOptions } from "./shared-flags.ts";
import { inWords, StartError } from "./start-error.ts";
import { stderrLog, textLine } from "./stderr-log.ts";

/** What `create` gets: the server's own switches and the shared ones. */
export type OptionsOf<F extends Flags> = Read<F> & SharedOptions;

/** What `create` may use besides its options. */
export interface Start {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A line on stderr, if `--log-level` and `--log-format` want it; `"warning"` for what was skipped. Never put secrets in it. */
  log(level: LogLevel, data: unknown): void;
}

/** What stands beside the switches. */
export interface Things {
  /** As it stands in the usage line: `DIR[:ro]…`. */
  usage: string;
  help: string;
  /** Applies `change` to the path within one argument. Left out: all of it is a path. */
  path?(thing: string, change: (path: string) => string): string;
}

/** What the command line of a server needs to know. */
export interface CliSpec<F extends Flags> {
  /** The name of the binary. */
  name: string;
  version: string;
  /** One phrase for `--help`. */
  summary: string;
  /** Left out: nothing may stand beside the switches. */
  things?: Things;
  /** What is served where no thing is named, as things: `--print-config` writes it down, as hosts start elsewhere. */
  unnamed?(options: OptionsOf<F>): readonly string[];
  flags: F;
  /** The line on stderr once the server is served. */
  ready?: string;
  /** How long work in hand may go on at the end, in milliseconds. Default 5,000. */
  graceMs?: number;
  /** Makes the server. Throw a {@link StartError} when it cannot be. A leading `~` in things and paths is expanded. */
  create(options: OptionsOf<F>, things: readonly string[], start: Start): Server | Promise<Server>;
}

/**
 * Runs a server as a process: reads switches and environment, serves stdio or HTTP, and exits with a code that says why.
 * @example
 * await cli({
 *   name: "hello",
 *   version: "1.0.0",
 *   summary: "greets people",
 *   flags: { loud: { type: "boolean", help: "greet loudly" } },
 *   create: ({ loud }) => defineServer({ name: "hello", version: "1.0.0", tools: loud ? [greet] : [] }),
 * });
 */
export async function cli<const F extends Flags>(spec: CliSpec<F>): Promise<void> {
  requireNode(spec.name);
  // Who does not listen any more is no reason to crash.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  const early = heldLog();
  try {
    await run(spec, early);
  } catch (fault) {
    const error = inWords(fault);
    const isForUser = error instanceof StartError;
    const sentence = isForUser ? error.message : `${spec.name} failed: ${faultLine(error)}`;
    process.stderr.write(textLine("error", sentence));
    early.release();
    leave(isForUser ? error.code : 1);
  }
}

async function run<F extends Flags>(spec: CliSpec<F>, early: HeldLog): Promise<void> {
  const { name, version } = spec;
  const args = process.argv.slice(2);
  const rows = [...ownSwitches(spec.flags), ...switchesOf(SHARED)];
  if (asksForHelp(args)) return await printHelp(spec);
  const parsed: Parsed<F & typeof SHARED> = parse(rows, { args, env: process.env, program: name });
  const options = parsed.options as OptionsOf<F>; // the same rows, told apart
  if (options.help) return await printHelp(spec);
  if (options.version) return leave(0, process.stdout, `${version}\n`);
  if (spec.things === undefined && parsed.things.length > 0) throw new StartError(`${name} takes switches only: see ${name} --help`, 2);
  const path = spec.things?.path ?? ((thing, change) => change(thing));
  const things = parsed.things.map((thing) => path(thing, expandHome));
  if (options.printConfig === undefined) return await serve(spec, { options, things, given: parsed.given, early });
  const served = things.length > 0 ? things : (spec.unnamed?.(options) ?? []);
  const { commandOf, configFor } = await import("./print-config.ts");
  const { entry, place } = configFor(
    options.printConfig,
    name,
    commandOf({ rows: rows.filter(({ key }) => !NOT_FOR_HOSTS.includes(key)), given: parsed.given, things: served, path }),
  );
  process.stderr.write(`For ${place}:\n`);
  leave(0, process.stdout, entry);
}

/** What asks for the entry, what no settings file should hold, and what makes a server that a host cannot start over stdio. */
const NOT_FOR_HOSTS: readonly string[] = ["printConfig", "stateKey", "http", ...HTTP_ONLY];

interface Order<F extends Flags> {
  options: OptionsOf<F>;
  things: readonly string[];
  given: Parsed<F>["given"];
  early: HeldLog;
}

async function serve<F extends Flags>(spec: CliSpec<F>, { options, things, given, early }: Order<F>): Promise<void> {
  const { name, version, graceMs = 5000 } = spec;
  const log = stderrLog({ name, from: options.logLevel, format: options.logFormat });
  const life = watchProcess(log);
  guardStdout(); // what is printed while the server is made is no message either
  const server = await spec.create(options, things, { env: process.env, log: early.through(log) });
  // Nothing of a list is needed before the handshake, unless the switches speak about it.
  if (options.http || selects(options)) await server.ready();
  const offered = server.tools.size;
  selectTools(server.tools, options);
  if (offered > 0 && server.tools.size === 0) log("warning", "no tool is left: what the switches ask for, they also rule out");
  const limits = givenLimits(options, (key) => given.has(key));
  const stateKeys = stateKeysOf(options.stateKey);
  if (options.http) {
    const { startHttp } = await import("./start-http.ts");
    const served = await startHttp(server, { name, options, limits, log, graceMs, stateKeys });
    early.release();
    // Whoever started it needs to know where it is, however quiet it is asked to be.
    stderrLog({ name, from: "notice", format: options.logFormat })("notice", `listening on ${served.url}`);
    life.stop = () => {
      life.limit(3 * graceMs);
      void served.stop();
    };
    await served.ended;
    return leave(0);
  }
  early.release();
  const idle = HTTP_ONLY.find((key) => given.has(key));
  if (idle !== undefined)
    log("warning", `without --http nothing listens: --${switchesOf({ [idle]: SHARED[idle] })[0]?.name} has no effect`);
  const served = serveStdio(server, { limits, log, graceMs, stateKeys });
  const limitEnd = (): void => life.limit(3 * graceMs); // work, close, and the last answers have one grace time each
  process.stdin.once("end", limitEnd);
  process.stdout.once("error", limitEnd);
  life.stop = () => {
    limitEnd();
    void served.stop();
  };
  log("notice", spec.ready ?? `${name} ${version} is ready on stdio`);
  if (process.stdin.isTTY && process.stdout.isTTY) process.stderr.write(terminalHint(name));
  await served.ended;
  leave(0);
}

function stateKeysOf(given: readonly string[]): readonly string[] {
  // The name that other servers of this kind know.
  const keys = given.length > 0 ? given : (process.env.MCP_STATE_KEY ?? "").split(",").filter((key) => key !== "");
  if (keys.some((key) => key.length < 16)) throw new StartError("A state key is too short: take at least 16 random characters", 2);
  return keys;
}

function ownSwitches(flags: Flags): Switch[] {
  const rows = switchesOf(flags);
  const twice = rows.find(({ key }) => Object.hasOwn(SHARED, key));
  if (twice !== undefined) throw new TypeError(`every server has a switch --${twice.name} already`);
  return rows;
}

/** Before anything else is judged: who asks for help may have the rest wrong. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === "--help" || arg === "-h");
}

async function printHelp(spec: CliSpec<Flags>): Promise<void> {
  const { helpText } = await import("./help.ts");
  leave(0, process.stdout, helpText(spec, switchesOf(spec.flags), switchesOf(SHARED)));
}

const terminalHint = (name: string): string =>
  `${name} talks to programs (Model Context Protocol), not to people: add it to a host, for example with the entry that
${name} --print-config claude-desktop
prints. See --help for more; Ctrl-D ends it.\n`;
