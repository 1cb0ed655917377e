import { expect, test } from "vitest";
import { toReply } from "@oarlock/testing";

test("toReply returns text, failure and structured content of results and errors", () => {
  expect(toReply({ error: { code: -1 } })).toEqual({ text: '{"code":-1}', failed: true, structured: {} });
  expect(toReply({ result: { isError: true, content: [{ text: "a" }, { data: 1 }], structuredContent: { b: 1 } } })).toEqual({
    text: 'a\n{"data":1}',
    failed: true,
    structured: { b: 1 },
  });
});
