// Ten thousand pairs of clients use the same id at the same moment: each gets its own answer.
import { expect, test } from "vitest";
import { z } from "zod";
import { defineServer, tool } from "../../../../src/index.ts";
import { serveHttp } from "../../../../src/node.ts";
import { initialize } from "../../../support/http-talk.ts";
import { MassSocket, sessionLine } from "../../../support/mass.ts";
import { call, STATEFUL, words } from "../../../support/sample.ts";

const PAIRS = 10_000;
/** Clients at the same moment, each with a socket of its own. */
const AT_ONCE = 250;

test("case HTTP-32 H5 10,000 pairs of clients with id 1 in flight at once, by JSON and by stream", async () => {
  let waiting: (() => void)[] = [];
  /** Answers no request before all have arrived. */
  const meet = tool({
    name: "meet",
    input: z.object({ secret: z.string() }),
    async run({ secret }) {
      await new Promise<void>((resolve) => {
        if (waiting.push(resolve) < AT_ONCE) return;
        for (const go of waiting.reverse()) go();
        waiting = [];
      });
      return secret;
    },
  });
  const http = await serveHttp(defineServer({ name: "meet", version: "1", tools: [meet] }), {
    port: 0,
    graceMs: 0,
    http: { sessions: 2 * PAIRS },
  });
  const sockets = await Promise.all(Array.from({ length: AT_ONCE }, () => MassSocket.open(http.port)));
  let right = 0;
  const wrong: string[] = [];
  for (let round = 0; round < (2 * PAIRS) / AT_ONCE; round++) {
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
  expect([wrong.slice(0, 3), right]).toEqual([[], 2 * PAIRS]);
  expect(http.counts()).toMatchObject({ sessions: 2 * PAIRS, streams: 0, running: 0 });
  for (const socket of sockets) socket[Symbol.dispose]();
  await http.stop();
});
