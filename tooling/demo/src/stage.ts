// The stage of a show: a built server, a client that is connected to it, and a scripted user.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { builtServer } from "@oarlock-tooling/test-support/built-file";
import { startOverHttp } from "@oarlock-tooling/test-support/server-process";
import { connect, spawnServer, type Client, type Command, type ConnectOptions } from "@oarlock/client";
import {
  findRevision,
  isObject,
  NEWEST_HANDSHAKE,
  REVISIONS,
  type CallToolResult,
  type ElicitResult,
  type Facts,
} from "@oarlock/server-kit/protocol";
import type { Show, Step } from "./show.ts";

export type Transport = "stdio" | "HTTP";

/** A user who answers elicitations. */
export interface User {
  readonly asked: string[];
  /** The answers, in order; without one the user cancels. */
  readonly answers: ElicitResult[];
}

export interface Stage extends User, AsyncDisposable {
  readonly revision: string;
  readonly facts: Facts;
  /** Replies come as data as well as text. */
  readonly structured: boolean;
  readonly transport: Transport;
  readonly client: Client;
  /** Closes the client and ends the server; resolves with how it exited. */
  end(): Promise<{ code: number | null; signal: string | null }>;
}

/** How a built server is started. */
export const commandOf = (server: string, ...args: readonly string[]): Command => ({
  command: process.execPath,
  args: builtServer(server, ...args),
});

/** Starts a server and connects to it. */
export async function openStage(
  command: Command,
  { revision, transport, ...options }: { revision: string; transport: Transport } & ConnectOptions,
): Promise<Stage> {
  const facts = findRevision(revision)?.facts;
  if (facts === undefined) throw new TypeError(`No such revision: ${revision}`);
  const [asked, answers]: [string[], ElicitResult[]] = [[], []];
  const http = transport === "HTTP" ? await startOverHttp({ command: command.command, args: command.args ?? [] }) : undefined;
  const pipe = http === undefined ? spawnServer(command) : undefined;
  const client = await connect(http === undefined ? (pipe ?? command) : { url: http.url.href }, {
    ...{ revision, clientInfo: { name: "oarlock-demo", version: "0.0.0" } },
    elicit: ({ message }) => (asked.push(message), answers.shift() ?? { action: "cancel" }),
    ...options,
  }).catch((error: unknown) => {
    void http?.kill(); // it would go on without a client
    throw error;
  });
  const end = async () => {
    await client.close();
    const { code = null, signal = null } = (await (http === undefined ? pipe?.exited : http.terminate())) ?? {};
    return { code, signal };
  };
  return {
    ...{ revision, facts, structured: revision >= "2025-06-18", transport, client, asked, answers, end },
    [Symbol.asyncDispose]: async () => void (await end()),
  };
}

/** A scene whose folder, and whatever else it has, closes after its stage. */
export const withParts = <Extra extends object>(stage: Stage, parts: Extra, ...closing: readonly AsyncDisposable[]): Stage & Extra => ({
  ...stage,
  ...parts,
  async [Symbol.asyncDispose]() {
    await stage[Symbol.asyncDispose]();
    for (const one of closing) await one[Symbol.asyncDispose]();
  },
});

/** The newest revision of each era. */
export const NEWEST_OF_ERAS: readonly string[] = [REVISIONS[0] ?? "", NEWEST_HANDSHAKE];

/** The steps of a show, by their titles. */
export type Steps<Scene> = Readonly<Record<string, Step<Scene>["play"]>>;

/** The shows of a server: on a pipe in these revisions, and over HTTP in the newest of each era. The last step ends the server. */
export function showsOf<Scene extends Stage>(
  server: string,
  open: (revision: string, transport: Transport) => Promise<Scene>,
  revisions: readonly string[],
  steps: Steps<Scene>,
): Show<Scene>[] {
  const all = [...Object.entries(steps).map(([title, play]) => ({ title, play })), { title: "goodbye", play: goodbye }];
  const over = (transport: Transport, played: readonly string[]): Show<Scene> => ({
    ...{ server, transport, revisions: played, steps: all },
    open: (revision) => open(revision, transport),
  });
  return [over("stdio", revisions), over("HTTP", NEWEST_OF_ERAS)];
}

async function goodbye({ end, transport }: Stage, say: (line: string) => void): Promise<void> {
  assert.deepEqual(await end(), { code: 0, signal: null });
  say(transport === "stdio" ? "The client closes; the server exits with code 0." : "The server gets SIGTERM and exits with code 0.");
}

/** Far longer than anything here takes; a step that uses it up has failed. */
const PATIENCE_MS = 60_000;

/** Waits until it is so, and tells after how many milliseconds. */
export async function until(what: string, isSo: () => boolean): Promise<number> {
  const from = performance.now();
  while (!isSo()) {
    if (performance.now() - from > PATIENCE_MS) throw new Error(`waited ${PATIENCE_MS / 1000} seconds in vain: ${what}`);
    await sleep(5);
  }
  return Math.round(performance.now() - from);
}

/** Subscribes to an address, makes a change, and tells after how many milliseconds the notification was there. */
export async function notifiedOf({ client }: Stage, uri: string, change: () => unknown): Promise<number> {
  const heard: string[] = [];
  await client.subscribe(uri, (changed) => heard.push(changed));
  await change();
  const after = await until(`no notification of ${uri} arrived`, () => heard.includes(uri));
  await client.unsubscribe(uri);
  return after;
}

/**
 * An act that needs the user's consent: declined, then accepted. Where the revision has no elicitation, it is refused. `isDone` tells whether it
 * has happened.
 */
export async function consent(
  { facts, asked, answers }: Stage,
  act: () => Promise<CallToolResult>,
  isDone: () => boolean | Promise<boolean>,
  say: (line: string) => void,
): Promise<void> {
  if (facts.elicit) answers.push({ action: "decline" }, { action: "accept", content: { confirm: true } });
  const refused = await act();
  assert.equal(refused.isError, true);
  assert.equal(await isDone(), false);
  if (!facts.elicit) return say(`This revision has no elicitation, so nothing happens: “${textOf(refused).split("\n")[0]}”`);
  done(await act());
  assert.equal(await isDone(), true);
  assert.equal(asked.length, 2);
  say(`The user is asked: “${asked[0]}” They decline the first time, and nothing happens; the second time they accept.`);
}

/** The text of a reply. */
export const textOf = ({ content }: CallToolResult): string => content.map((block) => (block.type === "text" ? block.text : "")).join("\n");

/** The same, of a reply that may not be a failure. */
export function done(result: CallToolResult): string {
  assert.equal(result.isError ?? false, false, textOf(result));
  return textOf(result);
}

/** The first text of a reply, which is JSON in every revision. */
export function jsonOf(result: CallToolResult): unknown {
  done(result);
  const [first] = result.content;
  return first?.type === "text" ? JSON.parse(first.text) : undefined;
}

/** The cursor of the next page, which the text has where there is no structured content. */
export const cursorOf = (page: CallToolResult, inText: RegExp): unknown =>
  isObject(page.structuredContent) ? page.structuredContent.nextCursor : inText.exec(textOf(page))?.[1];
