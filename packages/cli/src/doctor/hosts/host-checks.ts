// Checks of the hosts: which of them name this server, and whether what they start answers.
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { quoted } from "../../start/start-error.ts";
import { failed, passed, type Check } from "../check.ts";
import { isFound } from "./find-program.ts";
import { entriesIn, HostFileError, type HostEntry } from "./host-entries.ts";
import { hostFiles, type HostFile } from "./host-files.ts";
import { expandVariables } from "./host-variables.ts";
import { siblingEntry, siblingsOf, type SiblingEntry } from "./sibling-entries.ts";
import { startEntry } from "./start-entry.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** At most this many entries are started: the report must not take minutes. */
const MAX_STARTS = 16;

export interface HostReport {
  readonly checks: readonly Check[];
  /** Entries of other servers that were seen. */
  readonly notChecked: readonly SiblingEntry[];
}

/** One check for each entry of `server`, and for each file that cannot be read. */
export async function hostChecks(server: string, env: Environment): Promise<HostReport> {
  const found = hostFiles(env).map((file) => lookInto(file, server));
  const checks = found.flatMap(({ check }) => check ?? []);
  const own = found.flatMap(({ file, entries }) => entries.filter((entry) => entry.server === server).map((entry) => ({ file, entry })));
  const started = await Promise.all(own.slice(0, MAX_STARTS).map(({ file, entry }) => checkEntry(file, entry, env, server)));
  const all = [...checks, ...started];
  if (own.length > MAX_STARTS) all.push(passed("hosts", `${own.length - MAX_STARTS} further entries were not looked at.`));
  if (all.length === 0) all.push(passed("hosts", `No host on this machine names ${server} yet. To add it: ${server} --print-config HOST`));
  const searchPath = env.PATH ?? env.Path;
  const notChecked = found.flatMap(({ file, entries }) =>
    entries.filter((entry) => entry.server !== server).map((entry) => siblingEntry(file, entry, searchPath)),
  );
  return { checks: all, notChecked };
}

function lookInto(file: HostFile, server: string): { file: HostFile; entries: HostEntry[]; check?: Check } {
  try {
    return { file, entries: entriesIn(file, [server, ...siblingsOf(server)]) ?? [] };
  } catch (error) {
    if (!(error instanceof HostFileError)) throw error;
    const message = `${file.path} ${error.message}: ${file.host} starts none of the servers in it.`;
    return { file, entries: [], check: failed(nameOf(file), message, "Correct that line, or restore the file from a copy.") };
  }
}

const nameOf = ({ host }: HostFile): string => `host ${host}`;

async function checkEntry(file: HostFile, { name: entryName, key, value }: HostEntry, env: Environment, server: string): Promise<Check> {
  const name = nameOf(file);
  const entry = `Entry ${quoted(entryName)} in ${file.path}`;
  const reprint = `Replace the entry by what ${server} --print-config prints for this host.`;
  if (key !== file.key)
    return failed(name, `${entry} stands under "${key}", which ${file.host} does not read.`, `Move it under "${file.key}".`);
  if (value.disabled === true || value.enabled === false) return passed(name, `${entry} is switched off in the host.`);
  const { command, args = [], env: given = {}, cwd } = value;
  if (command === undefined && ["url", "serverUrl", "httpUrl"].some((member) => typeof value[member] === "string"))
    return passed(name, `${entry} connects over HTTP; it is not started by the host.`);
  if (typeof command !== "string" || command.trim() === "") return failed(name, `${entry} has no command.`, reprint);
  if (!isTexts(args))
    return failed(name, `${entry} has args that are not a list of texts.`, `Write "args" as a list, each argument a text of its own.`);
  if (typeof given !== "object" || given === null || !isTexts(Object.values(given)))
    return failed(name, `${entry} has an env that is not an object of texts.`, `Write "env" as an object whose values are texts.`);
  const variables = Object.entries(given as Record<string, string>); // as tested
  const texts = [command, ...args, ...variables.map(([, text]) => text)].map((text) => expandVariables(text, env));
  if (!texts.every((text) => text !== undefined))
    return passed(name, `${entry} has variables that only ${file.host} knows; it was not started.`);
  const [program = "", ...rest] = texts;
  const ownEnv = Object.fromEntries(variables.map(([variable], index) => [variable, rest[args.length + index]]));
  const childEnv = { ...env, ...ownEnv };
  if (!isFound(program, childEnv.PATH ?? childEnv.Path))
    return failed(name, `${entry} starts ${quoted(program)}, which was not found.`, notFoundRemedy(program, server));
  if (file.isOfProject) return passed(name, `${entry} names a command that exists. It came with the project, so it was not started.`);
  const folder = typeof cwd === "string" ? expandVariables(cwd, env) : undefined;
  if (folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return failed(name, `${entry} starts in ${quoted(folder)}, which is not a folder.`, `Correct "cwd", or remove it.`);
  const result = await startEntry({ command: program, args: rest.slice(0, args.length), env: childEnv, cwd: folder });
  switch (result.kind) {
    case "started":
      return passed(name, `${entry} starts: ${result.server} answered after ${result.ms} ms.`);
    case "not-cached":
      return passed(name, `${entry} starts npx, which downloads the package at its first start; nothing was downloaded now.`);
    case "needs-writing":
      return passed(name, `${entry} names a command that runs; it writes at its start, and doctor changes nothing, so it was not started.`);
    case "failed": {
      const reason = withoutSecrets(result.reason, ownEnv);
      return failed(name, `${entry} does not start: ${reason}`, `Correct its command and args as the message says. Or: ${reprint}`);
    }
  }
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === "string");

const notFoundRemedy = (program: string, server: string): string =>
  isAbsolute(program)
    ? `Correct the path, or replace the entry by what ${server} --print-config prints.`
    : `Install it, or write its full path: hosts do not read the PATH of your shell. ${server} --print-config prints a full entry.`;

/** What the entry sets may be secret, and a program may print it. Paths are shown, as most failures of a start are about one. */
const withoutSecrets = (text: string, values: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(values).reduce<string>(
    (left, [variable, value]) =>
      value === undefined || value.length < 6 || isPath(variable, value) ? left : left.replaceAll(value, "***"),
    text,
  );

/** Both have to look like one: a secret may begin with a slash. */
const isPath = (variable: string, value: string): boolean =>
  /(?:^|_)(?:DB|DIR|FILE|FOLDER|HOME|MIRROR|PATH|REPOSITORY|ROOT)$/i.test(variable) && /^(?:[~.]{0,2}[/\\]|[A-Za-z]:[/\\])/.test(value);
