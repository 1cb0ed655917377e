// Handlers that ask, in every revision that knows their questions (requirements MRTR-*). rounds.deep.test.ts has them across processes.
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { connectTo } from "../../../testing/src/connection/connect-to.ts";
import { MultiRoundTripClient } from "../../../testing/src/connection/multi-round-trip.ts";
import { modelSays, scriptUser, type ScriptedReply } from "../../../testing/src/connection/scripted-user.ts";
import { linkMemory } from "../../src/index.ts";
import { findRevision, isObject, REVISIONS, type Json } from "../../src/protocol.ts";
import { roundsServer } from "../fixtures/rounds.ts";
import { LineServer } from "../support/line-server.ts";
import { ANSWERS, PARAMS, PLAN, PLANNED, roundResult, sendRound } from "../support/plan-rounds.ts";
import { NEWEST } from "../support/stateless-message.ts";
import { ABLE } from "../support/talk.ts";

const THINK: ScriptedReply[] = ["one", "two", "three", "four"].map(modelSays);
/** What a client of the newest era answers to the questions of a round, in their order. */
function script(lines: readonly Json[]): (question: Json) => Json {
  const left = [...lines];
  return () => left.shift() ?? {};
}

async function called(revision: string, tool: string, lines: readonly ScriptedReply[]): Promise<{ content: unknown; rounds?: number }> {
  if (findRevision(revision)?.facts.era === "handshake") {
    const person = scriptUser(lines);
    await using wired = await connectTo(roundsServer(), { revision, ...person.handlers });
    const { content } = await wired.client.call(tool);
    person.done();
    return { content };
  }
  const rounds = new MultiRoundTripClient(linkMemory(roundsServer()), { revision, capabilities: ABLE });
  try {
    const { result } = await rounds.request("tools/call", { name: tool }, script(lines as unknown as Json[]));
    return { content: isObject(result) ? result["content"] : undefined, rounds: rounds.roundTrips };
  } finally {
    await rounds.close();
  }
}

describe("two input requests in sequence and two at once", () => {
  const knowsForms = (revision: string): boolean => findRevision(revision)?.facts.elicit === true;

  test.each(REVISIONS)("MRTR-19 SAMP-27 asks the model in %s", async (revision) => {
    const { content, rounds } = await called(revision, "think", THINK);
    expect(content).toEqual([{ type: "text", text: "one two three four" }]);
    expect(rounds).toBe(revision === NEWEST ? 3 : undefined);
  });

  test.each(REVISIONS.filter(knowsForms))("MRTR-19 ELIC-45 asks person and model in %s", async (revision) => {
    const { content, rounds } = await called(revision, "plan", PLAN);
    expect(content).toEqual([{ type: "text", text: PLANNED }]);
    expect(rounds).toBe(revision === NEWEST ? 3 : undefined);
  });
});

describe("refuses a state of any other request, on one pipe", () => {
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
    await using server = new LineServer(roundsServer);
    const { requestState } = await roundResult(server, PARAMS);
    const { error, result } = await sendRound(server, { ...change(String(requestState)), ...answer }, method);
    expect(result).toBeUndefined();
    expect(error).toEqual({ code: -32602, message: expect.stringContaining("requestState") });
    // The real one is as good as before.
    expect(await roundResult(server, { ...PARAMS, ...answer, requestState })).toMatchObject({ resultType: "input_required" });
    expect(server.stderr).not.toContain("ERROR");
  });

  test("MRTR-16 too old", async () => {
    await using server = new LineServer(roundsServer);
    const { requestState } = await roundResult(server, PARAMS);
    vi.setSystemTime(Date.now() + 15 * 60_000 + 1);
    onTestFinished(() => void vi.useRealTimers());
    expect(await sendRound(server, { ...PARAMS, ...answer, requestState })).toMatchObject({ error: { code: -32602 } });
  });
});
