// The stage of a show: a built server, a client that is connected to it, and a scripted user.
import assert from "node:assert/strict";
import { builtServer } from "@oarlock-tooling/test-support/built-file";
import { connect, type Client, type Command, type ConnectOptions } from "@oarlock/client";
import { findRevision, NEWEST_HANDSHAKE, REVISIONS, type ElicitResult, type Facts } from "@oarlock/server-kit/protocol";
import { run, type Running, type Transport } from "./server-process.ts";
import type { Show, Step } from "./show.ts";

/** A user who answers elicitations. */
export interface User {
  /** The elicitations so far. */
  readonly asked: string[];
  /** The answers, in order; without one the user cancels. */
  readonly answers: ElicitResult[];
}

export interface Stage extends AsyncDisposable {
  readonly revision: string;
  /** What the revision can do. */
  readonly facts: Facts;
  /** Replies come as data as well as text. */
  readonly structured: boolean;
  readonly transport: Transport;
  readonly server: Running;
  readonly client: Client;
}

/** How a built server is started. */
export const commandOf =
  (server: string) =>
  (...args: string[]): Command => ({ command: process.execPath, args: builtServer(server, ...args) });

/** Starts a server and connects to it; a client without `user` declares no elicitation. */
export async function openStage(
  command: Command,
  { revision, transport, user, ...options }: { revision: string; transport: Transport; user?: User } & ConnectOptions,
): Promise<Stage> {
  const facts = findRevision(revision)?.facts;
  if (facts === undefined) throw new TypeError(`No such revision: ${revision}`);
  const server = await run(command, transport);
  const elicit = ({ message }: { message: string }): ElicitResult => {
    user?.asked.push(message);
    return user?.answers.shift() ?? { action: "cancel" };
  };
  const client = await connect(server.to, {
    revision,
    clientInfo: { name: "oarlock-demo", version: "0.0.0" },
    ...(user !== undefined && { elicit }),
    ...options,
  }).catch((error: unknown) => {
    server.stop(); // over HTTP it would go on without a client
    throw error;
  });
  return {
    ...{ revision, facts, structured: revision >= "2025-06-18", transport, server, client },
    async [Symbol.asyncDispose]() {
      await client.close();
      server.stop();
      await server.exited;
    },
  };
}

/** The newest revision of each era. */
export const NEWEST_OF_ERAS: readonly string[] = [REVISIONS[0] ?? "", NEWEST_HANDSHAKE];

/** The shows of a server: on a pipe in these revisions, and over HTTP in the newest of each era. */
export const showsOf = <Scene extends AsyncDisposable>(
  server: string,
  open: (revision: string, transport: Transport) => Promise<Scene>,
  revisions: readonly string[],
  steps: readonly Step<Scene>[],
): Show<Scene>[] => {
  const over = (transport: Transport, shown: readonly string[]): Show<Scene> => ({
    ...{ server, transport, revisions: shown, steps },
    open: (revision) => open(revision, transport),
  });
  return [over("stdio", revisions), over("HTTP", NEWEST_OF_ERAS)];
};

/** The last step: closes the client, and says how the server exited. */
export const goodbyeStep = (exits: Readonly<Record<Transport, string>>): Step<Stage> => ({
  title: "goodbye",
  async play({ client, server, transport }, say) {
    await client.close();
    server.stop();
    assert.deepEqual(await server.exited, { code: 0, signal: null });
    say(exits[transport]);
  },
});
