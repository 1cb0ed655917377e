// Checks of the hosts: which of them name this server, and whether what they start answers.
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { findProgram, mergeVariables } from "@oarlock/domain-kit";
import { platform } from "../../platform.ts";
import type { CliProcess } from "../../process/cli-process.ts";
import type { Environment } from "../../process/environment.ts";
import { quoted, StartError } from "../../start/start-error.ts";
import { failed, noted, passed, type Check } from "../check.ts";
import type { ServerStart } from "../entry-checks.ts";
import { pathSplitByCmd } from "./cmd-words.ts";
import { serverArguments } from "./entry-arguments.ts";
import { withoutSecrets } from "./entry-secrets.ts";
import { entriesIn, HostFileError, type HostEntry, type ServedEntry } from "./host-entries.ts";
import { hostFiles, type HostFile } from "./host-files.ts";
import type { Laxness } from "./json-laxness.ts";
import { expandVariables } from "./host-variables.ts";
import { unreadEntries } from "./packaged-host.ts";
import { siblingEntry, siblingsOf, type SiblingEntry } from "./sibling-entries.ts";
import { startEntry } from "./start-entry.ts";

/** At most this many entries are started: the report must not take minutes. */
const MAX_STARTS = 16;

export interface HostReport {
  readonly checks: readonly Check[];
  /** Entries of other servers that were seen. */
  readonly notChecked: readonly SiblingEntry[];
}

/** Gives the checks of the server itself for a start of it. Throws a StartError for arguments that it does not accept. */
export type CheckServer = (start: ServerStart) => () => Promise<readonly Check[]>;

/** The name of the check where no entry was found. */
export const NO_ENTRY = "hosts";

/** One check for each entry of `server`, and for each file that cannot be read. */
export async function hostChecks(
  server: string,
  { env, cwd }: Pick<CliProcess, "env" | "cwd">,
  checkServer: CheckServer,
): Promise<HostReport> {
  const found = hostFiles({ env, platform, folder: cwd() }).map((file) => lookInto(file, server));
  const checks = found.flatMap(({ check, file, served = [] }) => [...(check ?? []), ...served.map((entry) => servedEntry(file, entry))]);
  const own = found.flatMap(({ file, entries }) => entries.filter((entry) => entry.server === server).map((entry) => ({ file, entry })));
  const started = await Promise.all(
    own.slice(0, MAX_STARTS).map(({ file, entry }) => checkEntry(file, entry, { env, server, checkServer })),
  );
  const all = [...checks, ...unreadEntries(own).map(({ file, message }) => noted(nameOf(file), "warning", message)), ...started];
  if (own.length > MAX_STARTS)
    all.push(noted("further entries", "not checked", `${own.length - MAX_STARTS} further entries were not looked at.`));
  if (all.length === 0)
    all.push(
      passed(
        NO_ENTRY,
        `No host on this machine names ${server} yet; a misspelled package or "mcpServers" is not recognized. To add it: ${server} --print-config HOST`,
      ),
    );
  const notChecked = found.flatMap(({ file, entries }) =>
    entries.filter((entry) => entry.server !== server).map((entry) => siblingEntry(file, entry, { env, platform })),
  );
  return { checks: all, notChecked };
}

function lookInto(file: HostFile, server: string): { file: HostFile; entries: HostEntry[]; check?: Check[]; served?: ServedEntry[] } {
  try {
    const { entries, served, laxness } = entriesIn(file, [server, ...siblingsOf(server)]);
    return { file, entries, served, check: laxness === undefined || entries.length === 0 ? [] : [laxCheck(file, laxness)] };
  } catch (error) {
    if (!(error instanceof HostFileError)) throw error;
    const message = `${file.path} ${error.message}: ${file.host} starts none of the servers in it.`;
    return { file, entries: [], check: [failed(nameOf(file), message, "Correct that line, or restore the file from a copy.")] };
  }
}

const nameOf = ({ host }: HostFile): string => `host ${host}`;

/** An entry that connects to a server on this machine, of any name: which server that is, only the server says. */
const servedEntry = (file: HostFile, { name, url }: ServedEntry): Check =>
  noted(nameOf(file), "not checked", servedText(`Entry ${quoted(name)} in ${file.path}`, url));

/** Only a plain URL is part of the command: a shell that it is pasted into would run another one. */
const servedText = (entry: string, url = "URL"): string =>
  `${entry} is served over HTTP; this checks it: npx -y @oarlock/client ${/^[\w:/.%~@+,=-]+$/.test(url) ? url : "URL"} list (with --token-file FILE where it takes a token)`;

function laxCheck(file: HostFile, { line, problem }: Laxness): Check {
  const found = `${file.path} has ${problem} at line ${line}, which JSON does not allow`;
  return file.acceptsComments
    ? passed(nameOf(file), `${found}; ${file.host} accepts it.`)
    : noted(nameOf(file), "warning", `${found}. Some hosts accept it, and others start none of the servers in the file: remove it.`);
}

interface Examination {
  readonly env: Environment;
  readonly server: string;
  readonly checkServer: CheckServer;
}

async function checkEntry(
  file: HostFile,
  { name: entryName, key, value }: HostEntry,
  { env, server, checkServer }: Examination,
): Promise<Check> {
  const name = nameOf(file);
  const entry = `Entry ${quoted(entryName)} in ${file.path}`;
  const reprint = `Replace the entry by what ${server} --print-config prints for this host.`;
  if (key !== file.key)
    return failed(name, `${entry} stands under "${key}", which ${file.host} does not read.`, `Move it under "${file.key}".`);
  if (value.disabled === true || value.enabled === false) return passed(name, `${entry} is switched off in the host.`);
  const { command, args = [], env: given = {}, cwd } = value;
  if (command === undefined && ["url", "serverUrl", "httpUrl"].some((member) => typeof value[member] === "string"))
    return noted(name, "not checked", servedText(entry));
  if (typeof command !== "string" || command.trim() === "") return failed(name, `${entry} has no command.`, reprint);
  if (!isTexts(args))
    return failed(name, `${entry} has args that are not a list of texts.`, `Write "args" as a list, each argument a text of its own.`);
  if (typeof given !== "object" || given === null || !isTexts(Object.values(given)))
    return failed(name, `${entry} has an env that is not an object of texts.`, `Write "env" as an object whose values are texts.`);
  const variables = Object.entries(given as Record<string, string>); // as tested
  const texts = [command, ...args, ...variables.map(([, text]) => text)].map((text) => expandVariables(text, env, platform));
  if (!texts.every((text) => text !== undefined))
    return noted(name, "not started", `${entry} has variables that only ${file.host} knows; it was not started.`);
  const [program = "", ...rest] = texts;
  const programArgs = rest.slice(0, args.length);
  const ownEnv = Object.fromEntries(variables.map(([variable], index) => [variable, rest[args.length + index]]));
  const childEnv = mergeVariables(env, ownEnv, platform);
  const folder = typeof cwd === "string" ? expandVariables(cwd, env, platform) : undefined;
  if (typeof cwd === "string" && (folder === undefined || !isAbsolute(folder)))
    return noted(name, "not started", `${entry} starts in ${quoted(cwd)}, a folder that only ${file.host} knows; it was not started.`);
  const serverArgs = serverArguments(program, programArgs, server);
  let checkNamed: ReturnType<CheckServer> | undefined;
  try {
    if (serverArgs !== undefined) checkNamed = checkServer({ args: serverArgs, env: childEnv, folder });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return failed(
      name,
      `${entry} does not start: ${withoutSecrets(error.message, ownEnv)}`,
      `Correct its args as the message says. Or: ${reprint}`,
    );
  }
  if (findProgram(program, { platform, env: childEnv, cwd: folder }) === undefined)
    return failed(name, `${entry} starts ${quoted(program)}, which was not found.`, notFoundRemedy(program, server));
  if (file.isOfProject)
    return noted(name, "not started", `${entry} names a command that exists. It came with the project, so it was not started.`);
  if (folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return failed(name, `${entry} starts in ${quoted(folder)}, which is not a folder.`, `Correct "cwd", or remove it.`);
  const split = pathSplitByCmd(program, programArgs);
  if (platform === "win32" && split !== undefined)
    return failed(name, `${entry} starts cmd, which would split ${quoted(split)} into several commands.`, reprint);
  const effect = effectOf(programArgs);
  if (effect !== undefined) return noted(name, "not started", `${entry} names a command that exists. It ${effect}, so it was not started.`);
  const result = await startEntry({ command: program, args: programArgs, env: childEnv, cwd: folder });
  const wrongStart = (reason: string): Check =>
    failed(
      name,
      `${entry} does not start: ${withoutSecrets(reason, ownEnv)}`,
      `Correct its command and args as the message says. Or: ${reprint}`,
    );
  switch (result.kind) {
    case "started":
      if (result.name !== server) return noted(name, "warning", `${entry} starts another server: ${result.name}, not ${server}.`);
      return passed(name, `${entry} starts: ${result.name} ${result.version} answered after ${result.ms} ms.`);
    case "not-cached":
    case "needs-writing":
    case "too-slow": {
      const wrong = (await checkNamed?.())?.find(({ ok }) => !ok);
      if (wrong !== undefined) return failed(name, `${entry}: ${wrong.message}`, wrong.remedy ?? reprint);
      if (result.kind === "too-slow") return wrongStart(result.reason);
      const checked = checkNamed === undefined ? "" : " Its switches, and what they name, are right.";
      const reason =
        result.kind === "not-cached"
          ? "starts npx, whose cache does not hold the package; doctor downloads nothing, so it was not started."
          : "names a command that runs; it writes at its start, and doctor changes nothing, so it was not started.";
      return noted(name, "not started", `${entry} ${reason}${checked}`);
    }
    case "failed":
      return wrongStart(result.reason);
  }
}

/** What a start would do in spite of the variables that it gets here, which switches beat. */
function effectOf(args: readonly string[]): string | undefined {
  if (args.some((arg) => /^--otel(?:$|=)/.test(arg))) return "sends telemetry (--otel)";
  return args.some((arg) => /^--read-only=(?:0|false)$/i.test(arg)) ? "may write (--read-only=false)" : undefined;
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === "string");

const notFoundRemedy = (program: string, server: string): string =>
  isAbsolute(program)
    ? `Correct the path, or replace the entry by what ${server} --print-config prints.`
    : `Install it, or write its full path: hosts do not read the PATH of your shell. ${server} --print-config prints a full entry.`;
