/** The answers that the HTTP suites of the bench read. */
import { expect, test } from "vitest";
import { messageText, readAnswer } from "../src/http/answer.ts";

test.each([
  ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}\n", 200, "{}\n"],
  ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\nA\r\n0123456789\r\n0\r\n\r\n", 200, "{}\n0123456789"],
  ["no body", "HTTP/1.1 204 No Content\r\nDate: today\r\n\r\n", 204, ""],
])("reads a complete answer with %s and no byte more", (_, text, status, body) => {
  for (let cut = 0; cut < text.length; cut++) expect(readAnswer(Buffer.from(text.slice(0, cut)))).toBeUndefined();
  const read = readAnswer(Buffer.from(`${text}HTTP/1.1 500`));
  expect([read?.answer.status, read?.answer.body.toString(), read?.end]).toEqual([status, body, text.length]);
});

test("refuses an answer whose end is the end of the connection", () => {
  expect(() => readAnswer(Buffer.from("HTTP/1.1 200 OK\r\n\r\n{}"))).toThrow("an answer without a length: HTTP/1.1 200 OK");
});

test.each([
  ["a body", '{"id":1}', '{"id":1}'],
  ["the last event with data", 'id: 1\ndata:\n\nevent: message\ndata: {"id":1}\n\nid: 2\r\ndata: {"id":2}\r\n\r\n', '{"id":2}'],
  ["nothing", ": silence\n\n", ""],
])("finds the message of %s", (_, body, message) => {
  expect(messageText(Buffer.from(body))).toBe(message);
});
