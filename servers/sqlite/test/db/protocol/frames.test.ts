// Frames on the pipe between the server and a database process.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FrameReader, frameOf } from "../../../src/db/protocol/frames.ts";

test("FrameReader splits a stream into frames for any size of chunks", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(6), fc.string())),
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
      (messages, sizes) => {
        const bytes = Buffer.concat(messages.map(([kind, body]) => frameOf(kind, body)));
        const reader = new FrameReader();
        const seen: [number, string][] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          reader.push(Buffer.from(bytes.subarray(at, at + size)));
          while (reader.next()) seen.push([reader.kind, reader.text]);
          at += size;
        }
        expect(seen).toEqual(messages.map(([kind, body]) => [kind, Buffer.from(body).toString()]));
      },
    ),
  );
});
