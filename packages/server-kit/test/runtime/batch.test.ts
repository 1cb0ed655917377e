// The answers of one array.
import { expect, test } from "vitest";
import type { Channel } from "../../src/runtime/request/channel.ts";
import { batchChannel } from "../../src/runtime/batch.ts";

function whole(): Channel & { ended: (string | undefined)[]; notes: string[] } {
  const ended: (string | undefined)[] = [];
  const notes: string[] = [];
  return {
    ended,
    notes,
    complete: (text) => void ended.push(text),
    notify: (text) => void notes.push(text),
    refuse: (error) => void ended.push(error.message),
  };
}

test("JSON-15 sends responses together with the last one, and notifications at once", () => {
  const channel = whole();
  const member = batchChannel(3, channel);
  member.complete('{"b":1}');
  member.notify("note");
  member.complete(undefined);
  expect(channel.ended).toEqual([]);
  expect(channel.notes).toEqual(["note"]);
  member.complete('{"a":1}');
  expect(channel.ended).toEqual(['[{"b":1},{"a":1}]']);
});

test("JSON-15 sends nothing without a request", () => {
  const channel = whole();
  const member = batchChannel(2, channel);
  for (let left = 2; left > 0; left--) member.complete(undefined);
  expect(channel.ended).toEqual([undefined]);
});
