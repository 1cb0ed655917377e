// Handlers that ask, over stdio and across processes that share a key ring (requirements MRTR-*).
import { describe, expect, test } from "vitest";
import { connectTo } from "../../../testing/src/connection/connect-to.ts";
import { scriptUser } from "../../../testing/src/connection/scripted-user.ts";
import { nodeCommand } from "../../../testing/src/process/node-command.ts";
import { startRaw } from "../../../testing/src/process/raw-process.ts";
import { NEWEST_HANDSHAKE } from "../../src/protocol.ts";
import { ANSWERS, PARAMS, PLAN, PLANNED, roundResult, sendRound } from "../support/plan-rounds.ts";

const command = (args: readonly string[] = [], env?: Record<string, string>) =>
  nodeCommand(new URL("../fixtures/rounds-cli.ts", import.meta.url), args, env);

test(`MRTR-19 ELIC-45 asks person and model over stdio in ${NEWEST_HANDSHAKE}`, async () => {
  const person = scriptUser(PLAN);
  await using wired = await connectTo(command(), { revision: NEWEST_HANDSHAKE, ...person.handlers });
  expect((await wired.client.call("plan")).content).toEqual([{ type: "text", text: PLANNED }]);
  person.done();
});

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
    let asked = await roundResult(one, PARAMS);
    for (const [round, inputResponses] of ANSWERS.entries()) {
      const server = round % 2 === 0 ? other : one;
      asked = await roundResult(server, { ...PARAMS, inputResponses, requestState: asked["requestState"] });
    }
    expect(asked).toMatchObject({ resultType: "complete", content: [{ type: "text", text: PLANNED }] });
    expect((await roundResult(one, { name: "process" }))["content"]).not.toEqual(
      (await roundResult(other, { name: "process" }))["content"],
    );
  });

  test("refuses without a ring the sealed state of another process", async () => {
    await using one = startRaw(command());
    await using other = startRaw(command([], { MCP_STATE_KEY: RING }));
    const { requestState } = await roundResult(one, PARAMS);
    expect(await sendRound(other, { ...PARAMS, inputResponses: ANSWERS[0], requestState })).toMatchObject({ error: { code: -32602 } });
    expect(await roundResult(one, { ...PARAMS, inputResponses: ANSWERS[0], requestState })).toMatchObject({ resultType: "input_required" });
  });

  test("continues the call after a restart with the same key", async () => {
    let requestState: unknown;
    {
      await using before = startRaw(command([], { MCP_STATE_KEY: RING }));
      ({ requestState } = await roundResult(before, PARAMS));
    }
    await using after = startRaw(command([], { MCP_STATE_KEY: RING }));
    expect(await roundResult(after, { ...PARAMS, inputResponses: ANSWERS[0], requestState })).toMatchObject({
      resultType: "input_required",
    });
  });

  test("refuses a key of fewer than 16 characters at the start, without naming it", async () => {
    await using server = startRaw(command(["--state-key", "short-secret"]));
    expect((await server.exit()).code).toBeGreaterThan(0);
    expect(server.stderr).toContain("16");
    expect(server.stderr).not.toContain("short-secret");
  });
});
