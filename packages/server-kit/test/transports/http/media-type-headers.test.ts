// The grammar of Content-Type and Accept headers.
import { describe, expect, test } from "vitest";
import { acceptsEvents, acceptsJson, checkAccept, checkContentType, isJson } from "../../../src/transports/http/media-types.ts";
import { parseHeaders } from "../../../src/transports/http/request-headers.ts";

describe("a Content-Type is JSON", () => {
  test.each([
    "application/json",
    "APPLICATION/Json",
    " application/json\t",
    "application/json;",
    "application/json; ;charset=utf-8",
    "application/json;charset=UTF8",
    'application/json;charset="utf-8"',
    'application/json; charset="utf8"; x=y',
    'application/json;x="a b,c"',
    "application/json;!#$%&'*+.^_`|~09az-=!#$%&'*+.^_`|~09az-",
    'application/json;xcharset="latin1"',
  ])("%s", (value) => {
    expect(isJson(value)).toBe(true);
  });
});

describe("a Content-Type is not JSON in UTF-8", () => {
  test.each([
    undefined,
    "",
    "text/json",
    "application/jsonx",
    "x application/json",
    "application/json, application/json",
    "application/json\u00a0",
    "\u00a0application/json",
    "application/json;a=\u00ff",
    "application/json;charset=latin1",
    "application/json;charset=utf-8x",
    'application/json;charset="utf-8"x',
    "application/json;charset=utf--8",
    "application/json;charset=x;charset=utf-8",
    "application/json;charset=",
    "application/json;a",
    "application/json;a=",
    "application/json;=b",
    "application/json;a=b c",
    "application/json;a b=c",
    'application/json;a="b"c',
    'application/json;a="b',
    'application/json;a="b\\"',
    'application/json;a=b"c"',
  ])("%j", (value) => {
    expect(isJson(value)).toBe(false);
  });
});

test.each([
  ["application/json", true, false],
  ["text/event-stream", false, true],
  ["application/json, text/event-stream", true, true],
  ["Application/JSON ; q=0.5 , TEXT/event-stream;q=1", true, true],
  ["application/*", true, false],
  ["text/*", false, true],
  ["*/*", true, true],
  ["*/*;q=0, application/json", true, false],
  ["application/json, */*;q=0", true, false],
  ["text/*;q=0, text/event-stream;q=0.1", false, true],
  ["text/event-stream;q=0.1, text/*;q=0", false, true],
  ["text/event-stream;q=0, */*", true, false],
  ["application/json;q=0, application/json", true, false],
  ["application/json, application/json;q=0", false, false],
  ["application/json;v=1;q=0", false, false],
  ["application/json;v=q=0", true, false],
  ["application/json;q=none", false, false],
  ["application/jsonx, x/*", false, false],
  ["", false, false],
  [undefined, false, false],
])("reads %j as accepting JSON: %s, event streams: %s", (value, json, events) => {
  expect([acceptsJson(value), acceptsEvents(value)]).toEqual([json, events]);
});

const refused = (status: number, message: string, options: object = {}) => expect.objectContaining({ status, message, options }) as Error;

test("refuses a body that is not plain JSON", () => {
  const check = (...headers: string[]) => checkContentType(parseHeaders(headers));
  expect(() => check("Content-Type", "text/plain")).toThrow(
    refused(415, "Content-Type not supported: expected application/json in UTF-8."),
  );
  const encoded = refused(415, "Content-Encoding not supported: expected an uncompressed body.", {
    headers: ["Accept-Encoding", "identity"],
  });
  expect(() => check("Content-Type", "application/json", "Content-Encoding", "gzip")).toThrow(encoded);
  expect(() => check("Content-Type", "application/json", "Content-Encoding", "")).toThrow(encoded);
  expect(() => check("Content-Type", "application/json", "Content-Encoding", "Identity")).not.toThrow();
  expect(() => check("Content-Type", "application/json")).not.toThrow();
});

test("refuses a client that does not accept both forms of a response", () => {
  const check = (accept: string) => checkAccept(parseHeaders(["Accept", accept]));
  const message = "Accept header not supported: expected both application/json and text/event-stream.";
  for (const accept of ["application/json", "text/event-stream", ""]) expect(() => check(accept)).toThrow(refused(406, message));
  expect(() => check("application/json, text/event-stream")).not.toThrow();
});
