// Handlers that ask, in every revision that knows their questions, and across processes (requirements MRTR-*).
import { describe, expect, test } from "vitest";
import { spawnServer } from "../../../client/src/transports/stdio/server-process.ts";
import { nodeCommand } from "../../../testing/src/process/node-command.ts";
import { startRaw, type RawProcess } from "../../../testing/src/process/raw-process.ts";
import { MultiRoundTripClient } from "../../../testing/src/connection/multi-round-trip.ts";
import { accept, modelSays, scriptUser, type ScriptedReply } from "../../../testing/src/connection/scripted-user.ts";
import { connectTo, type Target } from "../../../testing/src/connection/connect-to.ts";
import { linkMemory } from "../../src/index.ts";
import { findRevision, isObject, REVISIONS, type Json } from "../../src/protocol.ts";
import { roundsServer } from "../fixtures/rounds.ts";
import { asks, NEWEST } from "../support/stateless-message.ts";
import { ABLE } from "../support/talk.ts";

const command = (args: readonly string[] = [], env?: Record<string, string>) =>
  nodeCommand(new URL("../fixtures/rounds-cli.ts", import.meta.url), args, env);
const TARGET: Target = { server: roundsServer, command: command() };

const THINK: ScriptedReply[] = ["one", "two", "three", "four"].map(modelSays);
const PLAN: ScriptedReply[] = [accept({ word: "Ada" }), accept({ word: "noon" }), accept({ word: "yard" }), modelSays("slowly")];
const PLANNED = "cake Ada noon yard slowly";

/** What a client of the newest era answers to the questions of a round, in their order. */
function script(lines: readonly Json[]): (question: Json) => Json {
  const left = [...lines];
  return () => left.shift() ?? {};
}

async function called(
  revision: string,
  transport: "memory" | "stdio",
  tool: string,
  lines: readonly ScriptedReply[],
): Promise<{ content: unknown; rounds?: number }> {
  if (findRevision(revision)?.facts.era === "handshake") {
    const person = scriptUser(lines);
    await using wired = await connectTo(TARGET, { revision, transport, ...person.handlers });
    const { content } = await wired.client.call(tool);
    person.done();
    return { content };
  }
  const rounds = new MultiRoundTripClient(transport === "memory" ? linkMemory(roundsServer()) : spawnServer(command()), {
    revision,
    capabilities: ABLE,
  });
  try {
    const { result } = await rounds.request("tools/call", { name: tool }, script(lines as unknown as Json[]));
    return { content: isObject(result) ? result["content"] : undefined, rounds: rounds.roundTrips };
  } finally {
    await rounds.close();
  }
}

describe.each(["memory", "stdio"] as const)("two questions in turn and two at once, over %s", (transport) => {
  const knowsForms = (revision: string): boolean => findRevision(revision)?.facts.elicit === true;

  test.each(REVISIONS)("MRTR-19 SAMP-27 the model is asked, in %s", async (revision) => {
    const { content, rounds } = await called(revision, transport, "think", THINK);
    expect(content).toEqual([{ type: "text", text: "one two three four" }]);
    expect(rounds).toBe(revision === NEWEST ? 3 : undefined);
  });

  test.each(REVISIONS.filter(knowsForms))("MRTR-19 ELIC-45 person and model are asked, in %s", async (revision) => {
    const { content, rounds } = await called(revision, transport, "plan", PLAN);
    expect(content).toEqual([{ type: "text", text: PLANNED }]);
    expect(rounds).toBe(revision === NEWEST ? 3 : undefined);
  });
});

const PARAMS: Json = { name: "plan", arguments: { what: "cake" } };
const ANSWERS: Json[] = [
  { "elicit-1": accept({ word: "Ada" }) },
  { "elicit-2": accept({ word: "noon" }) },
  { "elicit-3": accept({ word: "yard" }), "sample-1": modelSays("slowly") },
];

let ids = 0;
const send = async (server: RawProcess, params: Json, method = "tools/call"): Promise<Json> =>
  server.request(asks(method, params, { id: ++ids, capabilities: ABLE }));
const resultOf = async (server: RawProcess, params: Json): Promise<Json> => {
  const { result, error } = await send(server, params);
  if (!isObject(result)) throw new Error(`expected a result, came ${JSON.stringify(error)}`);
  return result;
};

const RING = "the first key of the ring";
const OLDER = "another key of the ring";

describe("MRTR-23 JSON-27 JSON-28 two processes with one key ring", () => {
  test.each<[what: string, one: Parameters<typeof command>, other: Parameters<typeof command>]>([
    ["--state-key", [["--state-key", RING]], [["--state-key", RING]]],
    ["OARLOCK_STATE_KEY", [[], { OARLOCK_STATE_KEY: RING }], [[], { OARLOCK_STATE_KEY: RING }]],
    ["MCP_STATE_KEY", [[], { MCP_STATE_KEY: RING }], [[], { MCP_STATE_KEY: RING }]],
    ["the switch here, the environment there", [["--state-key", RING]], [[], { MCP_STATE_KEY: RING }]],
    ["keys in change: one still seals with the older", [["--state-key", `${OLDER},${RING}`]], [["--state-key", `${RING},${OLDER}`]]],
  ])("serve alternate rounds of one call: %s", async (_what, first, second) => {
    await using one = startRaw(command(...first));
    await using other = startRaw(command(...second));
    let asked = await resultOf(one, PARAMS);
    for (const [round, inputResponses] of ANSWERS.entries()) {
      const server = round % 2 === 0 ? other : one;
      asked = await resultOf(server, { ...PARAMS, inputResponses, requestState: asked["requestState"] });
    }
    expect(asked).toMatchObject({ resultType: "complete", content: [{ type: "text", text: PLANNED }] });
    expect((await resultOf(one, { name: "process" }))["content"]).not.toEqual((await resultOf(other, { name: "process" }))["content"]);
  });

  test("without a ring each process has its own key: what another has sealed is refused", async () => {
    await using one = startRaw(command());
    await using other = startRaw(command([], { MCP_STATE_KEY: RING }));
    const { requestState } = await resultOf(one, PARAMS);
    expect(await send(other, { ...PARAMS, inputResponses: ANSWERS[0], requestState })).toMatchObject({ error: { code: -32602 } });
    expect(await resultOf(one, { ...PARAMS, inputResponses: ANSWERS[0], requestState })).toMatchObject({ resultType: "input_required" });
  });

  test("after a restart with the same key the call goes on", async () => {
    let requestState: unknown;
    {
      await using before = startRaw(command([], { MCP_STATE_KEY: RING }));
      ({ requestState } = await resultOf(before, PARAMS));
    }
    await using after = startRaw(command([], { MCP_STATE_KEY: RING }));
    expect(await resultOf(after, { ...PARAMS, inputResponses: ANSWERS[0], requestState })).toMatchObject({ resultType: "input_required" });
  });

  test("a key of fewer than 16 characters is refused at the start, without naming it", async () => {
    await using server = startRaw(command(["--state-key", "short-secret"]));
    expect((await server.exit()).code).toBeGreaterThan(0);
    expect(server.stderr).toContain("16");
    expect(server.stderr).not.toContain("short-secret");
  });
});

describe("refuses a state of anything but this request, over stdio", () => {
  const answer = { inputResponses: ANSWERS[0] };
  test.each<[what: string, change: (state: string) => Json, method?: string]>([
    [
      "MRTR-15 changed in its middle",
      (state) => ({ ...PARAMS, requestState: state.slice(0, 60) + (state[60] === "A" ? "B" : "A") + state.slice(61) }),
    ],
    ["MRTR-15 cut", (state) => ({ ...PARAMS, requestState: state.slice(0, -4) })],
    ["MRTR-15 made up", () => ({ ...PARAMS, requestState: "eyJzdGVwIjoyfQ" })],
    ["MRTR-20 no text", (state) => ({ ...PARAMS, requestState: [state] })],
    ["MRTR-16 of another tool", (requestState) => ({ ...PARAMS, name: "plan_too", requestState })],
    ["MRTR-16 with other arguments", (requestState) => ({ ...PARAMS, arguments: { what: "soup" }, requestState })],
    ["MRTR-16 with the default spelt out or not", (requestState) => ({ name: "plan", requestState })],
    ["MRTR-16 of another method", (requestState) => ({ name: "plan", arguments: { what: "cake" }, requestState }), "prompts/get"],
  ])("%s", async (_what, change, method) => {
    await using server = startRaw(command());
    const { requestState } = await resultOf(server, PARAMS);
    const { error, result } = await send(server, { ...change(String(requestState)), ...answer }, method);
    expect(result).toBeUndefined();
    expect(error).toEqual({ code: -32602, message: expect.stringContaining("requestState") });
    // The real one is as good as before.
    expect(await resultOf(server, { ...PARAMS, ...answer, requestState })).toMatchObject({ resultType: "input_required" });
    expect(server.stderr).not.toContain("ERROR");
  });

  test("MRTR-16 too old", async () => {
    await using server = startRaw(nodeCommand(new URL("../fixtures/rounds-brief.ts", import.meta.url)));
    const { requestState } = await resultOf(server, PARAMS);
    await expect
      .poll(() => send(server, { ...PARAMS, ...answer, requestState }), { timeout: 20_000 })
      .toMatchObject({ error: { code: -32602 } });
  });
});
