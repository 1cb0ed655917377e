// No reply of a server process is over its bound, whatever the files hold: 2.5 MB by default, and what --max-result-bytes says.
import type { Json } from "@oarlock/server-kit/protocol";
import { startRaw, type RawProcess, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bin } from "../support/target.ts";
import { heavyFolder, heavyRequests } from "./heavy-folder.ts";

const LONG = process.env["OARLOCK_LONG"] === "1";

let folder: TempFolder;

beforeAll(() => {
  folder = heavyFolder(1);
});

afterAll(() => folder[Symbol.asyncDispose]());

/** The line with the next response; log entries may come before it. */
async function replyLine(server: RawProcess): Promise<string> {
  for (;;) {
    const line = await server.line(60_000);
    if (!("method" in (JSON.parse(line) as Json))) return line;
  }
}

// Over this wire every third and every fifth request, with `OARLOCK_LONG=1` all; in memory, in `reply-bounds.test.ts`, all meet the smaller limit.
describe.each([
  [2_500_000, [], LONG ? 1 : 3],
  [20_000, ["--max-result-bytes=20000"], LONG ? 1 : 5],
] as const)("a limit of %i bytes", (bound, args, step) => {
  test("holds for every reply, and each reply has content", async () => {
    await using server: RawProcess = startRaw(bin([...args, folder.path]));
    await server.handshake();
    const over: unknown[] = [];
    for (const [id, [method, params]] of heavyRequests(folder).entries()) {
      if (id % step !== 0) continue;
      void server.send({ jsonrpc: "2.0", id, method, params });
      const line = await replyLine(server);
      if (Buffer.byteLength(line) > bound) over.push([Buffer.byteLength(line), method, JSON.stringify(params).slice(0, 200)]);
      const { result, error } = JSON.parse(line) as Json;
      expect(result ?? error, `${method} ${JSON.stringify(params).slice(0, 200)}`).toBeTypeOf("object");
      // The kit's own answer to a result that is too large does not help the model.
      expect(line.slice(0, 1000), `${method} ${JSON.stringify(params).slice(0, 200)}`).not.toMatch(/Result exceeds/);
    }
    expect(over).toEqual([]);
  }, 600_000);
});
