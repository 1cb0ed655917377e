// What a client carries from round to round, between two processes that share a key ring.
import { Agent } from "node:http";
import { describe, expect, test } from "vitest";
import { nodeCommand } from "../../../../../testing/src/process/node-command.ts";
import { startRaw, type RawProcess } from "../../../../../testing/src/process/raw-process.ts";
import { overSocket, Place } from "../../../support/stateless-faces.ts";
import { cup, filled, KEYS, RED, replyText, retry } from "../../../support/stateless-rounds.ts";

describe("two processes with one key ring", () => {
  const at = async (process: RawProcess): Promise<Place> => {
    const port = Number(new URL(String((await process.message()).url)).port);
    const agent = new Agent({ keepAlive: true });
    return new Place({
      port,
      send: (sent) => overSocket(port, agent, sent),
      counts: () => ({ sessions: 0, streams: 0, running: 0 }),
      stop: async () => agent.destroy(),
    });
  };
  const start = (...keys: string[]): RawProcess => startRaw(nodeCommand(new URL("../fixtures/rounds-process.ts", import.meta.url), keys));

  test("MRTR-16 MRTR-23 SESS-16 serve the rounds of one call in turn, each for its caller only", async () => {
    await using one = start(KEYS[0]!, KEYS[1]!);
    await using two = start(KEYS[1]!, KEYS[0]!);
    await using here = await at(one);
    await using there = await at(two);
    const [alice, bob] = [cup({ token: "a" }), cup({ token: "b" })];
    const [first, firstOfBob] = [await alice.asks(here), await bob.asks(there)];
    expect(await bob.refused(there, retry(first))).toBe(-32602);
    const second = await alice.asks(there, retry(first));
    const secondOfBob = await bob.asks(here, retry(firstOfBob, { "elicit-1": filled({ name: "Bob" }) }));
    expect(await bob.refused(here, retry(second, RED))).toBe(-32602);
    expect(replyText(await alice.ends(here, retry(second, RED)))).toBe("a red cup for Ada");
    expect(replyText(await bob.ends(there, retry(secondOfBob, { "elicit-2": filled({ colour: "blue" }) })))).toBe("a blue cup for Bob");
  });
});
