// Header values, parsed and never searched (security cases HTTP-10, HTTP-11, HTTP-24).
import { describe, expect, test } from "vitest";
import { acceptsEvents, acceptsJson, isJson } from "../../../src/transports/http/media-types.ts";
import { parseHeaders } from "../../../src/transports/http/request-headers.ts";
import { fc } from "../../support/arbitrary.ts";

/** Headers that may occur only once, and the members that hold them. */
const MEMBERS = {
  host: "host",
  origin: "origin",
  authorization: "authorization",
  "content-type": "contentType",
  "content-encoding": "contentEncoding",
  "content-length": "contentLength",
  upgrade: "upgrade",
  "mcp-session-id": "sessionId",
  "mcp-protocol-version": "protocolVersion",
  "last-event-id": "lastEventId",
  "if-none-match": "ifNoneMatch",
  "access-control-request-headers": "accessControlRequestHeaders",
  "mcp-method": "mcpMethod",
  "mcp-name": "mcpName",
} as const;
const ONCE = Object.keys(MEMBERS);

describe("case HTTP-10 recognizes JSON by its media type", () => {
  test.each([
    "application/json",
    "Application/JSON",
    "APPLICATION/JSON;CHARSET=UTF-8",
    "application/json;charset=utf-8",
    "application/json; charset=utf-8",
    "application/json ; charset=utf-8",
    "application/json\t;\tcharset=UTF-8",
    'application/json; charset="utf-8"',
    'application/json; charset="UTF-8"; x=1',
    "application/json;",
    "application/json; version=1",
    'application/json; note="a, b=c"',
  ])("accepts %j", (value) => expect(isJson(value)).toBe(true));

  test.each([
    undefined,
    "",
    "json",
    "application",
    "application/",
    "/json",
    "application/jsonx",
    "xapplication/json",
    "application/json+ld",
    "application/json-rpc",
    "application/x-json",
    "text/json",
    "text/plain",
    "text/plain; application/json",
    "text/plain;x=application/json",
    "text/plain, application/json",
    "application/json, text/plain",
    "application/json, application/json",
    "application/json; a=b, text/plain",
    "application/json text/plain",
    "application /json",
    "application/ json",
    '"application/json"',
    "application/json\u00a0",
    "\u00a0application/json",
    "*/*",
    "application/*",
    "application/json; charset=utf-16",
    "application/json; charset=utf-16le",
    "application/json; charset=iso-8859-1",
    "application/json; charset=utf-8; charset=utf-16",
    "application/json; charset=utf-16; charset=utf-8",
    "application/json; charset=",
    "application/json; charset",
    'application/json; charset="utf-8',
    "application/json; charset=utf-8x",
    "application/json; x=charset=utf-8",
    "application/json; nonsense",
    "application/json; a b=c",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=application/json",
    "text/event-stream",
  ])("rejects %j", (value) => expect(isJson(value)).toBe(false));

  test.each([" ", ";", "; ", " ;", "\t", ";a=b", ';a="', '\\"'])("rejects a thousand times %j", (blank) => {
    expect(isJson(`application/json;${blank.repeat(1000)}x=`)).toBe(false);
  });
});

describe("case HTTP-11 reads Accept for JSON and events", () => {
  test.each<[string | undefined, boolean, boolean]>([
    [undefined, false, false],
    ["", false, false],
    [",", false, false],
    ["application/json", true, false],
    ["text/event-stream", false, true],
    ["application/json, text/event-stream", true, true],
    ["text/event-stream,application/json", true, true],
    ["Text/Event-Stream , APPLICATION/JSON", true, true],
    ["*/*", true, true],
    ["application/*, text/*", true, true],
    ["application/*", true, false],
    ["text/*", false, true],
    ["text/html, */*;q=0.1", true, true],
    ["application/json;q=0, text/event-stream", false, true],
    ["application/json; q=0.0, text/event-stream", false, true],
    ["application/json;q=0.000, */*", false, true],
    ["*/*, application/json;q=0", false, true],
    ["text/event-stream;Q=0, */*", true, false],
    ["*/*;q=0", false, false],
    ["*/*;q=0, application/json, text/event-stream", true, true],
    ["text/*;q=0, */*", true, false],
    ["application/json;q=0.5, text/event-stream;q=0.001", true, true],
    ["application/json; charset=utf-8; q=1, text/event-stream", true, true],
    ["application/json;q=nonsense, text/event-stream", false, true],
    ["application/jsonx, text/event-streams", false, false],
    ["xapplication/json, x-text/event-stream", false, false],
    ["text/plain;x=application/json", false, false],
    ["application / json", false, false],
    ["*", false, false],
    ["*/json, */event-stream", false, false],
  ])("%j", (value, json, events) => {
    expect([acceptsJson(value), acceptsEvents(value)]).toEqual([json, events]);
    // What was judged once is judged the same again.
    expect([acceptsJson(value), acceptsEvents(value)]).toEqual([json, events]);
  });
});

describe("case HTTP-24 headers that must be single", () => {
  test.each(Object.entries(MEMBERS))("%s is read in any case, and joined when repeated", (name, member) => {
    const single = Object.assign(parseHeaders([]), { count: 1, [member]: "a" });
    for (const given of [name, name.toUpperCase()]) expect(parseHeaders([given, "a"])).toEqual(single);
    expect(parseHeaders([name, "a", "x-other", "c", name, "b"])[member]).toBe("a, b");
  });

  test("reads parameters of tools by the rest of their names, and reports duplicates", () => {
    const fields = parseHeaders(["Mcp-Param-Region", "eu", "mcp-param-tenant", "7", "x-mcp-param-a", "b"]);
    expect([fields.mcpParams, fields.duplicate, fields.count]).toEqual([
      new Map([
        ["region", "eu"],
        ["tenant", "7"],
      ]),
      undefined,
      3,
    ]);
    expect(parseHeaders(["mcp-param-a", "1", "MCP-Param-A", "2"]).duplicate).toBe("mcp-param-a");
  });

  test("leaves out a name without a value", () => {
    expect(parseHeaders(["accept", "a", "host"])).toMatchObject({ accept: "a", host: undefined });
  });

  test.each(ONCE)("reports a duplicate of %s in any case, even with the same value", (name) => {
    expect(parseHeaders([name, "a", "accept", "b"]).duplicate).toBeUndefined();
    expect(parseHeaders([name, "a", name.toUpperCase(), "a"]).duplicate).toBe(name);
    expect(parseHeaders([name, "", name, ""]).duplicate).toBe(name);
  });

  test("joins several Accept headers to one list", () => {
    const fields = parseHeaders(["Accept", "application/json", "ACCEPT", "text/event-stream"]);
    expect([fields.duplicate, acceptsJson(fields.accept), acceptsEvents(fields.accept)]).toEqual([undefined, true, true]);
  });

  test("compares whole names, and ignores names that objects inherit", () => {
    const names = [
      "__proto__",
      "constructor",
      "toString",
      "twice",
      "count",
      "session",
      "contentType",
      "x-host",
      "host-x",
      "mcp-session-id-2",
    ];
    const fields = parseHeaders(names.flatMap((name) => [name, "poison"]));
    expect(fields).toEqual(Object.assign(parseHeaders([]), { count: names.length }));
    expect(({} as Record<string, unknown>)["poison"]).toBeUndefined();
  });

  test("assigns each value to its header, and reports duplicates correctly, for any headers", () => {
    const name = fc
      .oneof(fc.constantFrom(...ONCE, "accept", "__proto__"), fc.stringMatching(/^[a-z-]{1,12}$/))
      .chain((plain) => fc.constantFrom(plain, plain.toUpperCase()));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string({ maxLength: 8 })), { maxLength: 12 }), (headers) => {
        const fields = parseHeaders(headers.flat());
        const values = (wanted: string): string[] => headers.flatMap(([one, value]) => (one.toLowerCase() === wanted ? [value] : []));
        expect(fields.count).toBe(headers.length);
        expect(fields.duplicate !== undefined).toBe(ONCE.some((one) => values(one).length > 1));
        for (const [value, wanted] of [
          [fields.sessionId, "mcp-session-id"],
          [fields.contentType, "content-type"],
          [fields.authorization, "authorization"],
        ] as const) {
          if (values(wanted).length < 2) expect(value).toBe(values(wanted)[0]);
        }
        expect(fields.accept).toBe(values("accept").length === 0 ? undefined : values("accept").join(", "));
      }),
    );
  });
});
