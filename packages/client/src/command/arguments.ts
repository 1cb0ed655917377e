// The arguments of the command: TARGET ACTION [ARGUMENTS] [switches], or ACTION [ARGUMENTS] [switches] -- COMMAND ARGS….
import { parseArgs } from "node:util";
import type { Json } from "@oarlock/server-kit/protocol";
import { splitScope } from "../oauth/scopes.ts";
import { parseJsonArguments } from "./json-arguments.ts";
import { UsageError } from "./usage-error.ts";

export type Action =
  | { readonly kind: "list" | "login" }
  | { readonly kind: "call"; readonly name: string; readonly args: Json }
  | { readonly kind: "prompt"; readonly name: string; readonly args: Readonly<Record<string, string>> }
  | { readonly kind: "read"; readonly uri: string }
  | { readonly kind: "listen"; readonly uris: readonly string[] };

/** The command that starts a server over stdio. */
export interface CommandTarget {
  readonly command: string;
  readonly args: readonly string[];
}

export interface CommandLine {
  /** The address of a server over HTTP, or the command that starts one. */
  readonly target: { readonly url: URL } | CommandTarget;
  readonly action: Action;
  readonly json: boolean;
  readonly trace: boolean;
  readonly revision: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** A file with the bearer token of the server over HTTP. */
  readonly tokenFile: string | undefined;
  /** The scopes of a login: these only. */
  readonly scopes: readonly string[] | undefined;
  readonly timeoutMs: number | undefined;
}

const SWITCHES = {
  json: { type: "boolean", default: false },
  trace: { type: "boolean", default: false },
  revision: { type: "string" },
  header: { type: "string", multiple: true },
  "token-file": { type: "string" },
  scope: { type: "string" },
  timeout: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
  version: { type: "boolean", default: false },
} as const;

/** `"help"` and `"version"` are requests for these instead of a command. Throws a UsageError. */
export function parseCommandLine(argv: readonly string[]): CommandLine | "help" | "version" {
  const end = argv.indexOf("--");
  const ours = end === -1 ? argv : argv.slice(0, end);
  const { values, positionals } = parse(ours);
  if (values.help) return "help";
  if (values.version) return "version";
  const [target, words] = end === -1 ? targetAndRest(positionals) : [processOf(argv.slice(end + 1)), positionals];
  const action = actionOf(words);
  if (action.kind === "login" && !("url" in target)) throw new UsageError("Action login needs the URL of a server over HTTP");
  const headers = Object.fromEntries((values.header ?? []).map(headerOf));
  const tokenFile = values["token-file"];
  if (tokenFile !== undefined) checkTokenFile(tokenFile, { isHttp: "url" in target, action, headers });
  const scopes = values.scope === undefined ? undefined : scopesOf(values.scope, action);
  return {
    target,
    action,
    json: values.json,
    trace: values.trace,
    revision: values.revision,
    headers,
    tokenFile,
    scopes,
    timeoutMs: values.timeout === undefined ? undefined : secondsOf(values.timeout) * 1000,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: SWITCHES, allowPositionals: true });
  } catch (error) {
    // Its messages name the switch, and then give advice about positional arguments.
    throw new UsageError(error instanceof Error ? (error.message.split(". ")[0] ?? error.message) : String(error));
  }
}

function targetAndRest([first, ...rest]: readonly string[]): [{ url: URL }, readonly string[]] {
  if (first === undefined) throw new UsageError("A server is missing: give its URL, or -- COMMAND at the end");
  const url = /^https?:\/\//i.test(first) ? URL.parse(first) : null;
  if (url === null)
    throw new UsageError(`${JSON.stringify(first)} is not a URL: give http:// or https://, or put the command of a server behind --`);
  return [{ url }, rest];
}

function processOf([command, ...args]: readonly string[]): CommandTarget {
  if (command === undefined) throw new UsageError("The command of the server is missing behind --");
  return { command, args };
}

function actionOf([kind = "list", first, ...others]: readonly string[]): Action {
  const surplus = kind === "list" || kind === "login" ? first : kind === "read" ? others[0] : undefined;
  if (surplus !== undefined) throw new UsageError(`Unexpected argument ${JSON.stringify(surplus)} of action ${kind}`);
  switch (kind) {
    case "list":
    case "login":
      return { kind };
    case "call":
      return { kind, name: required(first, "call needs the name of a tool"), args: parseJsonArguments(others, "tool") };
    case "prompt":
      return { kind, name: required(first, "prompt needs the name of a prompt"), args: textsOf(parseJsonArguments(others, "prompt")) };
    case "read":
      return { kind, uri: required(first, "read needs the URI of a resource") };
    case "listen":
      return { kind, uris: [first, ...others].filter((uri) => uri !== undefined) };
    default:
      throw new UsageError(`Unknown action ${JSON.stringify(kind)}: list, call, read, prompt, listen and login are known`);
  }
}

function required(value: string | undefined, message: string): string {
  if (value === undefined || value === "") throw new UsageError(`Action ${message}`);
  return value;
}

function textsOf(args: Json): Record<string, string> {
  const wrong = Object.entries(args).find(([, value]) => typeof value !== "string");
  if (wrong !== undefined) throw new UsageError(`Argument ${JSON.stringify(wrong[0])} of a prompt is not a text: texts are expected`);
  return args as Record<string, string>; // just checked
}

function headerOf(line: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new UsageError('Switch --header needs a header such as "X-Team: docs"');
  return [name, value];
}

/** Whether a header of this name is there, in any letter case. */
export const hasHeader = (headers: Readonly<Record<string, string>>, name: string): boolean =>
  Object.keys(headers).some((one) => one.toLowerCase() === name);

function checkTokenFile(
  file: string,
  { isHttp, action, headers }: { isHttp: boolean; action: Action; headers: Readonly<Record<string, string>> },
): void {
  if (file === "") throw new UsageError("Switch --token-file needs the path of a file");
  if (!isHttp) throw new UsageError("Switch --token-file needs the URL of a server over HTTP: a server behind -- gets no token");
  if (action.kind === "login")
    throw new UsageError("Switch --token-file and action login exclude each other: the login gets its own tokens");
  if (hasHeader(headers, "authorization"))
    throw new UsageError("Switch --token-file and a header Authorization exclude each other: leave one of them out");
}

function scopesOf(text: string, { kind }: Action): string[] {
  if (kind !== "login") throw new UsageError("Switch --scope needs action login: later calls use the scopes of the login");
  const scopes = splitScope(text);
  if (scopes.length === 0) throw new UsageError('Switch --scope needs scopes, such as "sqlite:read sqlite:write"');
  return scopes;
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 86_400)) throw new UsageError("Switch --timeout needs a number of seconds, at most 86400");
  return seconds;
}
