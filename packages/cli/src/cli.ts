// cli: runs a server as a process, from the command line to the exit code. The only call in a server's bin.
import type { Extension, Observer, Server } from "@oarlock/server-kit";
import { guardStdout, serveStdio } from "@oarlock/server-kit/node";
import { tasks } from "@oarlock/server-kit/tasks";
import { bufferedLog, type BufferedLog } from "./buffered-log.ts";
import type { CliSpec, OptionsOf } from "./cli-spec.ts";
import { findWord, hasHelpSwitch, readCommandLine, type CommandLine } from "./command-line.ts";
import { expandHome } from "./flag-value.ts";
import { switchesOf, type Flags, type Switch } from "./flags.ts";
import { requireNode } from "./node-version.ts";
import { describeThrown, exitWith, manageProcess, type ProcessLifecycle } from "./process-lifecycle.ts";
import { givenLimits, HTTP_ONLY, SHARED, stateKeysOf, type Host, type SharedOptions } from "./shared-flags.ts";
import { StartError, toStartError } from "./start/start-error.ts";
import type { AuditNames } from "./operations/audit.ts";
import { startObservers } from "./operations/observers.ts";
import { lineOf, logFormatOf, stderrLog, type LogSink } from "./stderr-log.ts";
import { hasSelection, selectTools } from "./tool-selection.ts";

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
  // A reader that closed its end must not crash the server.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  const startLog = bufferedLog();
  try {
    await run(spec, startLog);
  } catch (thrown) {
    const error = toStartError(thrown);
    const isExpected = error instanceof StartError;
    const sentence = isExpected ? error.message : `${spec.name} failed to start: ${describeThrown(error)}`;
    process.stderr.write(lineOf[logFormatOf(process.argv, process.env)]("error", sentence, spec.name));
    startLog.flush();
    exitWith(isExpected ? error.code : 1);
  }
}

async function run<F extends Flags>(spec: CliSpec<F>, startLog: BufferedLog): Promise<void> {
  const { name, version } = spec;
  const args = process.argv.slice(2);
  const switches = [...ownSwitches(spec.flags), ...switchesOf(SHARED)];
  if (hasHelpSwitch(args)) return await printHelp(spec);
  const doctorIndex = findWord("doctor", args, switches);
  if (doctorIndex !== undefined) {
    const { runDoctor } = await import("./doctor/doctor.ts");
    return await runDoctor(spec, args.toSpliced(doctorIndex, 1));
  }
  const line: CommandLine<F & typeof SHARED> = readCommandLine(switches, { args, env: process.env, program: name });
  const options = line.options as OptionsOf<F>; // the values of F and of SHARED
  if (options.help) return await printHelp(spec);
  if (options.version) return exitWith(0, process.stdout, `${version}\n`);
  if (spec.positionals === undefined && line.positionals.length > 0)
    throw new StartError(`${name} accepts switches only. Remove the other arguments, or see ${name} --help.`, 2);
  const changePath = spec.positionals?.path ?? ((positional, change) => change(positional));
  const positionals = line.positionals.map((positional) => changePath(positional, expandHome));
  if (options.printConfig === undefined) return await serve(spec, { options, positionals, given: line.given, startLog });
  const entryName = spec.hostEntry ?? name;
  if (options.http) return await printUrlEntry(options.printConfig, entryName, options);
  const { commandOf, configFor } = await import("./host-config.ts");
  const command = commandOf({
    switches: switches.filter(({ key }) => !NOT_FOR_HOSTS.includes(key)),
    given: line.given,
    positionals: positionals.length > 0 ? positionals : (spec.defaultPositionals?.(options) ?? []),
    changePath,
  });
  const { entry, place } = configFor(options.printConfig, entryName, command);
  process.stderr.write(`For ${place}:\n`);
  exitWith(0, process.stdout, entry);
}

/** Prints the entry by which a host connects to the address of `--http`. */
async function printUrlEntry(host: Host, name: string, options: SharedOptions): Promise<void> {
  const [{ addressOf, urlConfigFor }, { placeOf }] = await Promise.all([
    import("./host-entry/host-url-config.ts"),
    import("./host-config.ts"),
  ]);
  const address = addressOf(options);
  const config = "reason" in address ? address : urlConfigFor(host, name, address);
  if ("reason" in config) throw new StartError(config.reason, 2);
  process.stderr.write(`For ${placeOf(host)}:\n${config.note === undefined ? "" : `${config.note}\n`}`);
  exitWith(0, process.stdout, config.entry);
}

/** `--print-config` itself, secrets, and switches of HTTP: without `--http` a host starts the server over stdio. */
const NOT_FOR_HOSTS: readonly string[] = ["printConfig", "stateKey", "http", ...HTTP_ONLY];

/** The longest stop: requests in flight, the server's own `close`, and the last responses. */
const STOP_LIMIT_MS = 15_000;

interface Configuration<F extends Flags> {
  options: OptionsOf<F>;
  positionals: readonly string[];
  given: CommandLine<F>["given"];
  startLog: BufferedLog;
}

async function serve<F extends Flags>(spec: CliSpec<F>, configuration: Configuration<F>): Promise<void> {
  const { options, positionals, given, startLog } = configuration;
  const { name, graceMs } = spec;
  const log = stderrLog({ name, from: options.logLevel, format: options.logFormat });
  const lifecycle = manageProcess(log);
  guardStdout(); // before `create`: its output is not protocol messages either
  const logOfStart = startLog.through(log);
  const stateKeys = stateKeysOf(options.stateKey);
  let auditNames: AuditNames | undefined;
  const server = await spec.create(options, positionals, {
    env: process.env,
    stateKeys,
    log: logOfStart,
    auditNames: (namesOf) => void (auditNames = namesOf),
  });
  // Lists are loaded after the handshake, unless the switches name tools.
  if (options.http || hasSelection(options)) await server.ready();
  const offered = server.tools.size;
  selectTools(server.tools, options);
  if (offered > 0 && server.tools.size === 0)
    logOfStart(
      "warning",
      "No tools are enabled: the tool switches (--read-only, --toolsets, --tools, --exclude-tools) exclude all of them. Remove one of them.",
    );
  // With --read-only no call has a line.
  const audit = options.readOnly ? undefined : options.audit;
  const observers = await startObservers({ name, server, log: logOfStart, auditNames, otel: options.otel, audit });
  const transport: TransportStart = {
    ...(observers.observer !== undefined && { observer: observers.observer }),
    limits: givenLimits(options, (key) => given.has(key)),
    extensions: [tasks({ afterMs: options.taskAfter, ttlMs: options.taskTtl })],
    log,
    ...(graceMs !== undefined && { graceMs }),
    stopLimitMs: (graceMs === undefined ? STOP_LIMIT_MS : 3 * graceMs) + observers.flushMs,
    stateKeys,
    startLog,
  };
  await (options.http
    ? serveOverHttp(server, { ...transport, name, options, serverJson: spec.serverJson }, lifecycle)
    : serveOverStdio(server, { ...transport, spec, given }, lifecycle));
  await observers.stop();
  exitWith(0);
}

interface TransportStart {
  observer?: Observer;
  limits: ReturnType<typeof givenLimits>;
  extensions: readonly Extension[];
  log: LogSink;
  graceMs?: number;
  stopLimitMs: number;
  stateKeys: readonly string[];
  startLog: BufferedLog;
}

async function serveOverHttp(
  server: Server,
  { startLog, ...start }: TransportStart & { name: string; options: SharedOptions; serverJson: URL | undefined },
  lifecycle: ProcessLifecycle,
): Promise<void> {
  const { startHttp } = await import("./http-server.ts");
  const http = await startHttp(server, start);
  startLog.flush();
  // Written at every log level: who started the server needs its address.
  stderrLog({ name: start.name, from: "notice", format: start.options.logFormat })("notice", `listening on ${http.url}`);
  lifecycle.stop = () => {
    const { opsPort, drainMs } = start.options;
    lifecycle.setDeadline(start.stopLimitMs + (opsPort === undefined ? 0 : drainMs));
    void http.stop();
  };
  await http.ended;
}

async function serveOverStdio(
  server: Server,
  {
    startLog,
    spec,
    given,
    ...start
  }: TransportStart & { spec: Pick<CliSpec<Flags>, "name" | "version" | "ready">; given: ReadonlyMap<string, unknown> },
  lifecycle: ProcessLifecycle,
): Promise<void> {
  const { name, version, ready = `${name} ${version} is ready on stdio` } = spec;
  const { log, stopLimitMs } = start;
  startLog.flush();
  const unused = HTTP_ONLY.find((key) => given.has(key));
  if (unused !== undefined) log("warning", `--${switchesOf({ [unused]: SHARED[unused] })[0]?.name} has no effect without --http.`);
  const stdio = serveStdio(server, start);
  const setDeadline = (): void => lifecycle.setDeadline(stopLimitMs);
  process.stdin.once("end", setDeadline);
  process.stdout.once("error", setDeadline);
  lifecycle.stop = () => {
    setDeadline();
    void stdio.stop();
  };
  log("notice", ready);
  if (process.stdin.isTTY && process.stdout.isTTY) process.stderr.write((await import("./help-text.ts")).terminalHint(name));
  await stdio.ended;
}

function ownSwitches(flags: Flags): Switch[] {
  const switches = switchesOf(flags);
  const duplicate = switches.find(({ key }) => Object.hasOwn(SHARED, key));
  if (duplicate !== undefined)
    throw new TypeError(`Flag ${duplicate.key} exists already: every server has --${duplicate.name}. Rename the flag.`);
  return switches;
}

async function printHelp(spec: CliSpec<Flags>): Promise<void> {
  const { helpText } = await import("./help-text.ts");
  exitWith(0, process.stdout, helpText(spec, switchesOf(spec.flags), switchesOf(SHARED)));
}
