// Tests for servers: a long call becomes a task with the result of the plain call, is polled and pushed, and outlives a killed client.
import { readFileSync } from "node:fs";
import { connect, type Client, type Command } from "@oarlock/client";
import type { CallToolResult, Json } from "@oarlock/server-kit/protocol";
import { expect, test } from "vitest";
import { childProcesses, needs, nodeCommand, startRaw, waitUntil, type RawProcess } from "../../../testing/src/index.ts";
import { startHttp } from "./http-process.ts";

const REVISION = "2026-07-28";
/** Only a server that hangs takes so long. */
const END_MS = 60_000;

/** A server with something to do. */
export interface TaskWorld extends AsyncDisposable {
  readonly command: Command;
  readonly tool: string;
  readonly args: Json;
  /** Another one in each world: left out when results are compared. */
  readonly folder: string;
  /** Lets a call end that would wait for ever. */
  release?(): void;
  /** Checks the data after the server has ended in the middle of the call. */
  checkData(): Promise<void> | void;
}

type Transport = "stdio" | "http";

type OpenWorld = () => Promise<TaskWorld>;

/** `open`: a new world for each test. */
export function testTasks(title: string, open: OpenWorld): void {
  test.each<Transport>(["stdio", "http"])(`runs ${title} as a task over %s, with the result of the plain call`, async (transport) => {
    await using asTask = await open();
    await using plain = await open();
    const result = await callAsTask(asTask, transport);
    await using server = await serve(plain, transport);
    expect(comparable(result, asTask)).toBe(comparable((await call(server.client, plain, true)).result, plain));
    expect(result.isError).toBeUndefined();
  });

  test(`continues ${title} over HTTP when its client is killed, and ends it for another client`, async () => {
    await using world = await open();
    await using server = await serve(world, "http");
    await using killed = startClient(server.address, world);
    const { taskId } = await killed.message(END_MS);
    killed.kill("SIGKILL");
    await killed.exit();
    world.release?.();
    expect((await server.client.tasks.resume(String(taskId))).isError).toBeUndefined();
  });

  testKilledOverStdio(title, open);
}

/** The server has to end with its client, and leave its data whole. */
export function testKilledOverStdio(title: string, open: OpenWorld): void {
  test(`ends ${title} with its server when a client over stdio is killed`, needs("Linux"), async () => {
    await using world = await open();
    await using killed = startClient(commandOf(world), world);
    await killed.message(END_MS);
    const processes = descendants(killed.pid);
    expect(processes.length).toBeGreaterThan(0);
    killed.kill("SIGKILL");
    await waitUntil(
      () => processes.filter(isRunning),
      (running) => running.length === 0,
      END_MS,
    );
    await world.checkData();
  });
}

/** The result of a call that has become a task, after the server has given the same to a poll and to a subscription. */
async function callAsTask(world: TaskWorld, transport: Transport): Promise<CallToolResult> {
  await using server = await serve(world, transport);
  const { client, pushed } = server;
  const { result, taskIds } = await call(client, world, false);
  expect(taskIds).toHaveLength(1);
  const ended = { taskId: taskIds[0], status: "completed", result };
  expect(await client.request("tasks/get", { taskId: taskIds[0] })).toMatchObject(ended);
  pushed.length = 0;
  const abort = new AbortController();
  const listening = client.request("subscriptions/listen", { notifications: { taskIds } }, { signal: abort.signal });
  await waitUntil(() => pushed.length > 0, Boolean, END_MS);
  abort.abort();
  await listening.catch(() => undefined);
  expect(pushed).toMatchObject([ended]);
  return result;
}

/** A result without what differs from call to call. */
const comparable = (result: CallToolResult, { folder }: TaskWorld): string =>
  JSON.stringify(result)
    .replaceAll(folder, "")
    .replace(/"elapsedMs":[\d.]+/, "");

/** Calls the tool of a world; a plain call declares no tasks. */
async function call(client: Client, world: TaskWorld, isPlain: boolean): Promise<{ result: CallToolResult; taskIds: string[] }> {
  const taskIds: string[] = [];
  if (isPlain) world.release?.();
  const result = await client.call(world.tool, world.args, {
    ...(isPlain && { onProgress: () => undefined }),
    onTask({ taskId }) {
      taskIds.push(taskId);
      world.release?.();
    },
  });
  return { result, taskIds };
}

const commandOf = ({ command }: TaskWorld): Command => ({ ...command, args: [...(command.args ?? []), "--task-after=1"] });

interface Served extends AsyncDisposable {
  readonly client: Client;
  readonly address: Command | { url: string };
  /** States of tasks that the server has sent. */
  readonly pushed: Json[];
}

async function serve(world: TaskWorld, transport: Transport): Promise<Served> {
  const pushed: Json[] = [];
  const command = commandOf(world);
  const http = transport === "http" ? await startHttp(command) : undefined;
  const address = http === undefined ? command : { url: http.url };
  const onNotification = (method: string, params: Json): void => void (method === "notifications/tasks" && pushed.push(params));
  const client = await connect(address, { revision: REVISION, onNotification });
  return {
    client,
    address,
    pushed,
    async [Symbol.asyncDispose]() {
      await client.close();
      await http?.stop();
    },
  };
}

/** A client in a process of its own, which writes the id of its task. */
function startClient(to: Command | { url: string }, { tool, args }: TaskWorld): RawProcess {
  const client = startRaw(nodeCommand(new URL("../fixtures/task-client.ts", import.meta.url)));
  void client.send({ to, tool, args });
  return client;
}

const descendants = (pid: number): number[] => childProcesses(pid).flatMap((child) => [child, ...descendants(child)]);

/** False after the exit of a process, also before its parent has read the exit code. */
function isRunning(pid: number): boolean {
  try {
    const [state] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return state !== "Z";
  } catch {
    return false;
  }
}
