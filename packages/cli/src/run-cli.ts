// The run of a command line: reads switches and environment, serves stdio or HTTP, and ends with a code that says why.
import { escapeControlsInJson } from "@oarlock/domain-kit";
import type { Extension, Observer, Server } from "@oarlock/server-kit";
import { tasks } from "@oarlock/extensions/tasks";
import { bufferedLog, type BufferedLog } from "./buffered-log.ts";
import type { CliProcess } from "./process/cli-process.ts";
import type { CliSpec, OptionsOf } from "./cli-spec.ts";
import type { HttpStart } from "./http-server.ts";
import { findWord, hasHelpSwitch, readCommandLine, type CommandLine } from "./command-line.ts";
import { expandHome } from "./flag-value.ts";
import { switchesOf, type Flags, type Switch } from "./flags.ts";
import { describeThrown, type ProcessLifecycle } from "./process/process-lifecycle.ts";
import { givenLimits, HTTP_ONLY, SHARED, stateKeysOf } from "./shared-flags.ts";
import { StartError, toStartError } from "./start/start-error.ts";
import type { AuditNames } from "./operations/audit.ts";
import { startObservers } from "./operations/observers.ts";
import type { WatchedStore } from "./operations/store-checks.ts";
import { StoreFaults } from "./operations/store-faults.ts";
import { lineOf, logFormatOf, stderrLog, type LogSink } from "./stderr-log.ts";
import { hasSelection, selectTools } from "./tool-selection.ts";

/** Never throws: a failed start ends the process with a sentence on stderr. */
export async function runCli<const F extends Flags>(spec: CliSpec<F>, on: CliProcess): Promise<void> {
  const startLog = bufferedLog();
  try {
    await run(spec, startLog, on);
  } catch (thrown) {
    const error = toStartError(thrown);
    const isExpected = error instanceof StartError;
    const sentence = isExpected ? error.message : `${spec.name} failed to start: ${describeThrown(error)}`;
    on.stderr.write(lineOf[logFormatOf(on.argv, on.env)]("error", sentence, spec.name));
    startLog.flush();
    on.exit(isExpected ? error.code : 1);
  }
}

async function run<F extends Flags>(spec: CliSpec<F>, startLog: BufferedLog, on: CliProcess): Promise<void> {
  const { name, version } = spec;
  const args = on.argv.slice(2);
  const switches = [...ownSwitches(spec.flags), ...switchesOf(SHARED)];
  if (hasHelpSwitch(args)) return await printHelp(spec, on);
  const doctorIndex = findWord("doctor", args, switches);
  if (doctorIndex !== undefined) {
    const { runDoctor } = await import("./doctor/doctor.ts");
    return await runDoctor(spec, args.toSpliced(doctorIndex, 1), on);
  }
  for (const word of ["install", "uninstall"] as const) {
    const index = findWord(word, args, switches);
    if (index === undefined) continue;
    const { runInstall } = await import("./install/install.ts");
    return await runInstall(spec, { word, args: args.toSpliced(index, 1) }, on);
  }
  const line: CommandLine<F & typeof SHARED> = readCommandLine(switches, { args, env: on.env, program: name });
  const options = line.options as OptionsOf<F>; // the values of F and of SHARED
  if (options.help) return await printHelp(spec, on);
  if (options.version) return on.exit(0, on.stdout, `${version}\n`);
  if (spec.positionals === undefined && line.positionals.length > 0)
    throw new StartError(`${name} accepts switches only. Remove the other arguments, or see ${name} --help.`, 2);
  const changePath = spec.positionals?.path ?? ((positional, change) => change(positional));
  const positionals = line.positionals.map((positional) => changePath(positional, expandHome));
  if (options.printConfig === undefined) return await serve(spec, { options, positionals, given: line.given, startLog, on });
  const { printedEntry } = await import("./host-entry/printed-entry.ts");
  const { entry, place, notes } = printedEntry(spec, { host: options.printConfig, options, positionals, given: line.given, on });
  on.stderr.write(`For ${place}:\n${notes.map((note) => `${note}\n`).join("")}`);
  on.exit(0, on.stdout, escapeControlsInJson(entry));
}

/** The longest stop: requests in flight, the server's own `close`, and the last responses. */
const STOP_LIMIT_MS = 15_000;

interface Configuration<F extends Flags> {
  options: OptionsOf<F>;
  positionals: readonly string[];
  given: CommandLine<F>["given"];
  startLog: BufferedLog;
  on: CliProcess;
}

async function serve<F extends Flags>(spec: CliSpec<F>, configuration: Configuration<F>): Promise<void> {
  const { options, positionals, given, startLog, on } = configuration;
  const { name, graceMs } = spec;
  const log = stderrLog({ name, from: options.logLevel, format: options.logFormat, to: on.stderr });
  const lifecycle = on.manage(log); // before `create`: its output is not protocol messages either
  const logOfStart = startLog.through(log);
  const stateKeys = stateKeysOf(options.stateKey, on.env);
  let auditNames: AuditNames | undefined;
  let stores: readonly WatchedStore[] = [];
  const faults = new StoreFaults(log);
  const fence = options.fence ? await import("./start/fenced-replies.ts") : undefined;
  const server = await spec.create(fence === undefined ? options : fence.withRoom(options), positionals, {
    env: on.env,
    stateKeys,
    log: logOfStart,
    auditNames: (namesOf) => void (auditNames = namesOf),
    watchStores: (watched) => void (stores = watched),
    // With --ops-port the health of the server's own databases has a line.
    reportStore: (file, fault) =>
      faults.report(file, fault, options.http && options.opsPort !== undefined && stores.some((store) => store.file === file)),
  });
  if (fence !== undefined) server.use(fence.fencedReplies(server.tools));
  // Lists are loaded after the handshake, unless the switches name tools.
  if (options.http || hasSelection(options)) await server.ready();
  const offered = server.tools.size;
  selectTools(server.tools, options, spec.minimal);
  if (offered > 0 && server.tools.size === 0)
    logOfStart(
      "warning",
      "No tools are enabled: the tool switches (--read-only, --toolsets, --tools, --exclude-tools) exclude all of them. Remove one of them.",
    );
  const audit = options.readOnly ? undefined : options.audit;
  if (audit !== options.audit)
    logOfStart("notice", "--audit has no effect with --read-only: only calls that may change something have a line.");
  const observers = await startObservers({ name, server, log: logOfStart, auditNames, otel: options.otel, audit, onExit: on.onExit });
  const transport: TransportStart = {
    ...(observers.observer !== undefined && { observer: observers.observer }),
    limits: givenLimits(options, (key) => given.has(key)),
    extensions: [tasks({ afterMs: options.taskAfter, ttlMs: options.taskTtl })],
    log,
    ...(graceMs !== undefined && { graceMs }),
    stopLimitMs: (graceMs === undefined ? STOP_LIMIT_MS : 3 * graceMs) + observers.flushMs,
    stateKeys,
    startLog,
    on,
  };
  await (options.http
    ? serveOverHttp(server, { ...transport, name, options, stores, faults, serverJson: spec.serverJson, minimal: spec.minimal }, lifecycle)
    : serveOverStdio(server, { ...transport, spec, given }, lifecycle));
  await observers.stop();
  on.exit(0);
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
  on: CliProcess;
}

async function serveOverHttp(
  server: Server,
  { startLog, ...start }: TransportStart & Pick<HttpStart, "name" | "options" | "stores" | "faults" | "serverJson" | "minimal">,
  lifecycle: ProcessLifecycle,
): Promise<void> {
  const { startHttp } = await import("./http-server.ts");
  const http = await startHttp(server, start);
  startLog.flush();
  // Written at every log level: who started the server needs its address.
  stderrLog({ name: start.name, from: "notice", format: start.options.logFormat, to: start.on.stderr })(
    "notice",
    `listening on ${http.url}${start.options.socket === undefined ? "" : ` (socket ${start.options.socket})`}`,
  );
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
    on,
    ...start
  }: TransportStart & { spec: Pick<CliSpec<Flags>, "name" | "version" | "ready">; given: ReadonlyMap<string, unknown> },
  lifecycle: ProcessLifecycle,
): Promise<void> {
  const { name, version, ready = `${name} ${version} is ready on stdio` } = spec;
  const { log, stopLimitMs } = start;
  startLog.flush();
  const unused = HTTP_ONLY.find((key) => given.has(key));
  if (unused !== undefined) log("warning", `--${switchesOf({ [unused]: SHARED[unused] })[0]?.name} has no effect without --http.`);
  const setDeadline = (): void => lifecycle.setDeadline(stopLimitMs);
  const stdio = on.serveStdio(server, start, setDeadline);
  lifecycle.stop = () => {
    setDeadline();
    void stdio.stop();
  };
  log("notice", ready);
  if (on.isTerminal) on.stderr.write((await import("./help-text.ts")).terminalHint(name));
  await stdio.ended;
}

function ownSwitches(flags: Flags): Switch[] {
  const switches = switchesOf(flags);
  const duplicate = switches.find(({ key }) => Object.hasOwn(SHARED, key));
  if (duplicate !== undefined)
    throw new TypeError(`Flag ${duplicate.key} exists already: every server has --${duplicate.name}. Rename the flag.`);
  return switches;
}

async function printHelp(spec: CliSpec<Flags>, on: CliProcess): Promise<void> {
  const { helpText } = await import("./help-text.ts");
  on.exit(0, on.stdout, helpText(spec, switchesOf(spec.flags), switchesOf(SHARED)));
}
