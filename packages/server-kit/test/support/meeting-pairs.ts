// Pairs of clients that use the same id at the same moment: each must get its own answer.
import { expect } from "vitest";
import { z } from "zod";
import { defineServer, tool } from "../../src/index.ts";
import { serveHttp } from "../../src/node.ts";
import { initialize } from "./http-talk.ts";
import { MassSocket, sessionLine } from "./mass.ts";
import { call, STATEFUL, words } from "./sample.ts";

/**
 * So many pairs with id 1 meet, one of each by JSON and one by stream, in every revision by turns. `concurrency` clients wait at the same
 * moment, each with a socket of its own.
 */
export async function meetInPairs(pairs: number, concurrency: number): Promise<void> {
  let waiting: (() => void)[] = [];
  /** Answers no request before all have arrived. */
  const meet = tool({
    name: "meet",
    input: z.object({ secret: z.string() }),
    async run({ secret }) {
      await new Promise<void>((resolve) => {
        if (waiting.push(resolve) < concurrency) return;
        for (const go of waiting.reverse()) go();
        waiting = [];
      });
      return secret;
    },
  });
  const http = await serveHttp(defineServer({ name: "meet", version: "1", tools: [meet] }), {
    port: 0,
    graceMs: 0,
    // The clients never say that they are ready, and many of them take longer than the default on a busy machine.
    http: { sessions: 2 * pairs, unreadyMs: 3_600_000 },
  });
  const sockets = await Promise.all(Array.from({ length: concurrency }, () => MassSocket.open(http.port)));
  let right = 0;
  const wrong: string[] = [];
  for (let round = 0; round < (2 * pairs) / concurrency; round++) {
    const revision = STATEFUL[round % STATEFUL.length];
    const replyText = await Promise.all(
      sockets.map(async (socket, at) => {
        const session = sessionLine(await socket.post(initialize(revision)));
        const secret = `secret ${round} ${at}`;
        // The two of a pair are neighbours: one asks for JSON, one for events, with the same progress token.
        const { body } = await socket.post(call(1, "meet", { secret }, at % 2 === 0 ? undefined : { progressToken: 1 }), session);
        return { secret, body };
      }),
    );
    for (const { secret, body } of replyText) {
      const answer = /(?:^|\ndata: )(\{.*\})/.exec(body)?.[1];
      if (answer === JSON.stringify(words(1, secret))) right++;
      else wrong.push(`${secret}: ${body}`);
    }
  }
  expect([wrong.slice(0, 3), right]).toEqual([[], 2 * pairs]);
  expect(http.counts()).toMatchObject({ sessions: 2 * pairs, streams: 0, running: 0 });
  for (const socket of sockets) socket[Symbol.dispose]();
  await http.stop();
}
