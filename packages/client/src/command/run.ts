// Runs the command: connects, does one action, prints its result, and returns the exit code.
import { McpError } from "@oarlock/server-kit/protocol";
import type { Client } from "../client.ts";
import { connect } from "../connect.ts";
import type { ConnectOptions } from "../options.ts";
import { version } from "../version.ts";
import { hasHeader, parseCommandLine, type Action, type CommandLine, type CommandTarget } from "./arguments.ts";
import { authorizationForCalls, authorizationForLogin, credentialsFile } from "./credentials.ts";
import { errorText } from "./error-text.ts";
import { HELP } from "./help.ts";
import { readListing, listingText, promptText, resourceText, resultText } from "./output.ts";
import { hintWithoutTerminal, questionHandlers } from "./questions.ts";
import { ServerStderr } from "./server-stderr.ts";
import { suggestPrompt, suggestResource, suggestTool } from "./suggestions.ts";
import { Terminal, type CommandProcess } from "./terminal.ts";
import { readTokenFile } from "./token-file.ts";
import { parametersHint } from "./tool-parameters.ts";
import { withUnknownOutcome } from "./unknown-outcome.ts";
import { UsageError } from "./usage-error.ts";
import { traceLine } from "./wire-trace.ts";

const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

function sayHint(failure: string, terminal: Terminal): void {
  const hint = terminal.isInteractive ? undefined : hintWithoutTerminal(failure);
  if (hint !== undefined) terminal.writeStderr(hint);
}

/** Returns the exit code. `signal`: Ctrl+C. */
export async function run(argv: readonly string[], signal: AbortSignal, on: CommandProcess = process): Promise<number> {
  const terminal = new Terminal(on, signal);
  try {
    const line = parseCommandLine(argv);
    if (line === "help" || line === "version") {
      terminal.print(line === "help" ? HELP : `${version}\n`);
      return EXIT.ok;
    }
    if (line.action.kind === "login") return await logIn(line, terminal);
    await using client = await open(line, terminal);
    return await act(client, line, terminal);
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    const text = errorText(error, argv);
    terminal.writeStderr(`Error: ${text}`);
    if (error instanceof McpError) sayHint(text, terminal);
    if (!(error instanceof UsageError)) return EXIT.failed;
    terminal.writeStderr("See oarlock-client --help.");
    return EXIT.usage;
  }
}

async function open({ target, trace, revision, headers, tokenFile, timeoutMs }: CommandLine, terminal: Terminal): Promise<Client> {
  const { env, platform } = terminal.process;
  const options: ConnectOptions = {
    signal: terminal.signal,
    ...(terminal.isInteractive && questionHandlers(terminal.process)),
    ...(revision !== undefined && { revision }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    clientInfo: { name: "oarlock-client", version },
    onLog: ({ level, data }) => terminal.writeStderr(`[${level}] ${typeof data === "string" ? data : JSON.stringify(data)}`),
    ...(trace && { onWire: (direction, text) => terminal.writeStderr(traceLine(direction, text)) }),
  };
  if (!("url" in target)) return await startServer(target, options, terminal);
  const { url } = target;
  if (tokenFile !== undefined) return await connect({ url, headers, token: await readTokenFile(tokenFile) }, options);
  if (hasHeader(headers, "authorization")) return await connect({ url, headers }, options);
  const authorize = authorizationForCalls(credentialsFile(env, platform), url.href);
  return await connect({ url, headers, authorize }, options);
}

async function startServer({ command, args }: CommandTarget, options: ConnectOptions, terminal: Terminal): Promise<Client> {
  const stderr = new ServerStderr((text) => terminal.forward(text));
  try {
    return await connect({ command, args: [...args] }, { ...options, onStderr: (text) => stderr.push(text) });
  } finally {
    stderr.endOfStart();
  }
}

async function logIn({ target, scopes }: CommandLine, terminal: Terminal): Promise<number> {
  if (!("url" in target)) throw new UsageError("Action login needs the URL of a server over HTTP");
  const { process: on, signal, isInteractive: isTerminal } = terminal;
  const path = credentialsFile(on.env, on.platform);
  const login = authorizationForLogin(path, { isTerminal, writeStderr: (text) => terminal.writeStderr(text) });
  const isNeeded = await login.login(target.url, { force: true, ...(scopes !== undefined && { scopes }), signal });
  terminal.writeStderr(isNeeded ? `Logged in. The tokens are in ${path}.` : "This server needs no login.");
  return EXIT.ok;
}

async function act(client: Client, { target, action, json }: CommandLine, terminal: Terminal): Promise<number> {
  const { signal } = terminal;
  const print = (result: object, text: () => string): void => terminal.print(`${json ? JSON.stringify(result, undefined, 2) : text()}\n`);
  switch (action.kind) {
    case "call": {
      const result = await orThrow(client.call(action.name, action.args, { signal }), async (error) => {
        if (error instanceof McpError) await sayParameters(client, action, terminal);
        const explained = "url" in target ? await withUnknownOutcome(client, action.name, error) : error;
        return await suggestTool(client, action.name, explained);
      });
      print(result, () => resultText(result));
      if (result.isError !== true) return EXIT.ok;
      sayHint(resultText(result), terminal);
      await sayParameters(client, action, terminal);
      return EXIT.failed;
    }
    case "read": {
      const result = await orThrow(client.read(action.uri, { signal }), (error) => suggestResource(client, action.uri, error));
      print(result, () => resourceText(result));
      return EXIT.ok;
    }
    case "prompt": {
      const result = await orThrow(client.prompt(action.name, action.args, { signal }), (error) =>
        suggestPrompt(client, action.name, error),
      );
      print(result, () => promptText(result));
      return EXIT.ok;
    }
    case "listen":
      return await listen(client, action.uris, { json, terminal });
    default: {
      const listing = await readListing(client);
      print(listing, () => listingText(listing));
      return EXIT.ok;
    }
  }
}

/** Adds the arguments of the tool to the error of a call that does not match them. */
async function sayParameters(client: Client, { name, args }: Action & { kind: "call" }, terminal: Terminal): Promise<void> {
  const hint = await parametersHint(client, name, args);
  if (hint !== undefined) terminal.writeStderr(hint);
}

/** Completes the error of a request. */
async function orThrow<T>(request: Promise<T>, complete: (error: unknown) => Promise<unknown>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw await complete(error);
  }
}

/** Until Ctrl+C, or the end of the server. */
async function listen(client: Client, uris: readonly string[], { json, terminal }: { json: boolean; terminal: Terminal }): Promise<number> {
  const { signal } = terminal;
  const { tools, prompts, resources } = client.capabilities;
  const lists = { tools: tools?.listChanged === true, prompts: prompts?.listChanged === true, resources: resources?.listChanged === true };
  const stream = client.listen({ ...lists, uris }, { signal });
  await stream.ready;
  terminal.writeStderr("Listening. Press Ctrl+C to end.");
  try {
    for await (const change of stream) {
      const line = change.kind === "updated" ? `updated ${change.uri}` : `changed list of ${change.kind}`;
      terminal.print(`${json ? JSON.stringify(change) : line}\n`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return signal.aborted ? EXIT.ok : EXIT.failed;
}
