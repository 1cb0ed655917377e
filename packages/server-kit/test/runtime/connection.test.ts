// Whatever comes in: nothing throws, and every message is ended exactly once.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Connection } from "../../src/runtime/connection.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { errorText, type Json } from "../../src/wire/json-rpc.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { anyLine } from "../support/any-line.ts";
import { STATEFUL } from "../support/sample.ts";
import { ABLE } from "../support/talk.ts";

/** Every code that the kit sends, and the one that a tool of the sample has chosen. */
const CODES = [-32700, -32600, -32601, -32602, -32603, -32002, -32021, -32022, 429, -32001];

interface Ended {
  count: number;
  texts: string[];
}

describe.each(["before the handshake", ...STATEFUL])("RPC-01 … RPC-12 ERR-06 ERR-10 any lines, %s", (when) => {
  test("ends each once, with at most one well-formed response for each id", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine, { maxLength: 25 }), async (lines) => {
        const endpoint = new Runtime(sampleServer({ limits: { concurrency: 3, queue: 3, clientRequestMs: 20 } }));
        const standing: string[] = [];
        const connection = new Connection(endpoint, {
          complete: (text) => void (text !== undefined && standing.push(text)),
          notify: (text) => void standing.push(text),
          refuse: (error) => void standing.push(JSON.stringify({ error })),
        });
        if (when !== "before the handshake") {
          const hello = { protocolVersion: when, capabilities: ABLE, clientInfo: { name: "c", version: "1" } };
          connection.receive(JSON.stringify({ jsonrpc: "2.0", id: "hello", method: "initialize", params: hello }));
          connection.receive('{"jsonrpc":"2.0","method":"notifications/initialized"}');
        }
        const channels: Ended[] = [];
        for (const text of lines) {
          const channel: Ended = { count: 0, texts: [] };
          channels.push(channel);
          connection.receive(text, {
            complete(answer) {
              channel.count++;
              if (answer !== undefined) channel.texts.push(answer);
            },
            notify: (note) => void JSON.parse(note),
            refuse(error) {
              channel.count++;
              channel.texts.push(errorText(null, error));
            },
          });
        }
        await connection.finish(5);
        await endpoint.close();
        expect(channels.map(({ count }) => count)).toEqual(lines.map(() => 1));
        for (const [at, { texts }] of channels.entries()) {
          const answers = texts.flatMap((text) => JSON.parse(text) as Json[] | Json) as Json[];
          const sent = parsed(lines[at]!);
          expect(answers.length).toBeLessThanOrEqual(Math.max(1, sent.length));
          for (const answer of answers) {
            expect(answer).toMatchObject({ jsonrpc: "2.0" });
            expect("result" in answer).toBe(!("error" in answer));
            if ("error" in answer) expect(CODES).toContain((answer["error"] as Json)["code"]);
            if (answer["id"] !== null) expect(sent.map((one) => (one as Json | null)?.["id"])).toContainEqual(answer["id"]);
          }
        }
      }),
      { numRuns: process.env["OARLOCK_LONG"] === "1" ? 2000 : 30 },
    );
  });
});

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text) as unknown].flat();
  } catch {
    return [];
  }
}
