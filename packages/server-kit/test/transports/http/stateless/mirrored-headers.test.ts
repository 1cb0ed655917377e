// Headers that repeat the body: what must agree, letter by letter, and in which forms.
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { defineServer, fromJsonSchema, prompt, resource, template, tool } from "../../../../src/index.ts";
import type { Json } from "../../../../src/protocol.ts";
import type { HttpRequest } from "../../../support/http-faces.ts";
import { overBoth, type Place } from "../../../support/stateless-faces.ts";
import { asks, base64, posting, refused } from "../../../support/stateless-message.ts";

type Headers = NonNullable<HttpRequest["headers"]>;

const MARK = "x-mcp-header";

const found = tool({
  name: "find",
  input: z.object({
    region: z.string().nullish(),
    place: z
      .string()
      .optional()
      .meta({ [MARK]: "Region" }),
    count: z
      .int()
      .optional()
      .meta({ [MARK]: "Count" }),
    loud: z
      .boolean()
      .optional()
      .meta({ [MARK]: "Loud" }),
    in: z
      .object({
        shelf: z
          .string()
          .optional()
          .meta({ [MARK]: "Shelf" }),
      })
      .optional(),
  }),
  run: (input) => JSON.stringify(input),
});

/** An argument with a name that every object has something under. */
const inherits = tool({
  name: "inherit",
  input: fromJsonSchema({ type: "object", properties: { constructor: { type: "string", [MARK]: "Made" } } }, () => undefined),
  run: (input) => JSON.stringify(input),
});

const odd = (message: string): string => `odd://${encodeURIComponent(message)}`;

const makeServer = () =>
  defineServer({
    name: "mirror",
    version: "1.0.0",
    tools: [found, inherits],
    prompts: [
      prompt({ name: "grüße", get: () => "hello" }),
      prompt({ name: "=?base64?aGk=?=", get: () => "literal" }),
      prompt({ name: " padded ", get: () => "padded" }),
    ],
    resources: [
      resource({ uri: "mirror://a", name: "a", read: () => "a" }),
      template({ uri: "odd://{x}", name: "odd", read: ({ x }) => x }),
    ],
  });

overBoth("mirrored headers", (face) => {
  let place: Place;
  beforeAll(async () => void (place = await face.open(makeServer())));
  afterAll(() => place.stop());

  const asked = async (method: string, params: Json, headers: Headers): Promise<unknown[]> => {
    const answer = await place.send(posting(asks(method, params), { headers })).answer;
    return [answer.status, await answer.json()];
  };
  const passes = async (method: string, params: Json, headers: Headers): Promise<void> =>
    expect(await asked(method, params, headers)).toEqual([
      200,
      { jsonrpc: "2.0", id: 1, result: expect.objectContaining({ resultType: "complete" }) },
    ]);
  const mismatches = async (method: string, params: Json, headers: Headers): Promise<void> =>
    expect(await asked(method, params, headers)).toEqual([400, refused(-32020)]);

  const CALL = { name: "find", arguments: {} };

  test.each<[string, Headers]>([
    ["no version", { "mcp-protocol-version": undefined }],
    ["no method", { "mcp-method": undefined }],
    ["no name", { "mcp-name": undefined }],
    ["another version", { "mcp-protocol-version": "2025-06-18" }],
    ["another method", { "mcp-method": "tools/list" }],
    ["the method in other case", { "mcp-method": "TOOLS/CALL" }],
    ["the method in base64", { "mcp-method": base64("tools/call") }],
    ["an empty method", { "mcp-method": "" }],
    ["another name", { "mcp-name": "look" }],
    ["the name in other case", { "mcp-name": "Find" }],
    ["an empty name", { "mcp-name": "" }],
    ["the name and more", { "mcp-name": "find2" }],
    ["the name in quotes", { "mcp-name": '"find"' }],
    ["the name percent-encoded", { "mcp-name": "%66ind" }],
  ])("case HTTP-31 HDR-03 HDR-04 HDR-06 refuses on tools/call: %s", async (_what, headers) => mismatches("tools/call", CALL, headers));

  test.each<[headers: Headers, args: Json, message: string]>([
    [{ "mcp-protocol-version": "2025-06-18" }, {}, "Wrong MCP-Protocol-Version header: expected the version in _meta."],
    [{ "mcp-method": "tools/list" }, {}, "Wrong Mcp-Method header: expected the method of the body."],
    [{ "mcp-name": "look" }, {}, "Wrong Mcp-Name header: expected params.name of the body."],
    [{ "mcp-param-shelf": "a" }, {}, "Unexpected Mcp-Param-Shelf header: the body has no argument in.shelf."],
    [{}, { in: { shelf: "a" } }, "Missing Mcp-Param-Shelf header: expected the argument in.shelf of the body."],
    [{ "mcp-param-shelf": "b" }, { in: { shelf: "a" } }, "Wrong Mcp-Param-Shelf header: expected the argument in.shelf of the body."],
    [{ "mcp-param-region": "=?base64?!?=" }, { place: "a" }, "Wrong Mcp-Param-Region header: expected the argument place of the body."],
  ])("HDR-06 names the header that differs: %j with %j", async (headers, args, message) => {
    const [, body] = await asked("tools/call", { name: "find", arguments: args }, headers);
    expect(body).toMatchObject({ error: { code: -32020, message } });
  });

  test.each<[string, Json]>([
    ["prompts/get", { name: "grüße" }],
    ["resources/read", { uri: "mirror://a" }],
    ["tools/call", CALL],
  ])("case HTTP-31 HDR-03 requires for %s its name, and only in that header", async (method, params) => {
    await passes(method, params, {});
    await mismatches(method, params, { "mcp-name": undefined });
    await mismatches(method, params, { "mcp-name": undefined, "mcp-param-name": "find", "x-mcp-name": "find" });
    await mismatches(method, params, { "mcp-name": "other" });
  });

  test.each(["tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"])(
    "HDR-03 requires for %s no name, and ignores one",
    async (method) => {
      await passes(method, {}, {});
      await passes(method, {}, { "mcp-name": "whatever" });
      await mismatches(method, {}, { "mcp-method": undefined });
    },
  );

  test.each([
    ["lower", (name: string) => name.toLowerCase()],
    ["upper", (name: string) => name.toUpperCase()],
    ["mixed", (name: string) => name.replaceAll("m", "M").replaceAll("o", "O")],
  ])("HDR-05 accepts header names in %s case", async (_what, turn) => {
    const sent = posting(asks("tools/call", { name: "find", arguments: { place: "here" } }), { headers: { "mcp-param-region": "here" } });
    const headers = Object.fromEntries(Object.entries(sent.headers ?? {}).map(([name, value]) => [turn(name), value]));
    expect((await place.send({ ...sent, headers }).answer).status).toBe(200);
  });

  test.each([
    ["in base64, though it need not be", "resources/read", { uri: "mirror://a" }, base64("mirror://a")],
    ["not ASCII", "prompts/get", { name: "grüße" }, base64("grüße")],
    ["with blanks around", "prompts/get", { name: " padded " }, base64(" padded ")],
    ["that looks like the marker itself", "prompts/get", { name: "=?base64?aGk=?=" }, base64("=?base64?aGk=?=")],
    ["with line ends", "resources/read", { uri: odd("a\r\nb") }, base64(odd("a\r\nb"))],
  ])("case HTTP-31 HDR-11 accepts a name that is %s", async (_what, method, params, header) =>
    passes(method, params, { "mcp-name": header }),
  );

  const WORD = "héllow";
  const GOOD = Buffer.from(WORD).toString("base64");

  test.each([
    ["another marker's case", `=?BASE64?${GOOD}?=`],
    ["another marker's case", `=?Base64?${GOOD}?=`],
    ["a charset as in mail", `=?utf-8?B?${GOOD}?=`],
    ["no end", `=?base64?${GOOD}`],
    ["no beginning", `${GOOD}?=`],
    ["nothing around it", GOOD],
    ["text around it", `x=?base64?${GOOD}?=`],
    ["no padding", `=?base64?${GOOD.replace(/=+$/, "")}?=`],
    ["too much padding", `=?base64?${GOOD}=?=`],
    ["padding inside", `=?base64?${GOOD.slice(0, 4)}=${GOOD.slice(4)}?=`],
    ["the alphabet of addresses", `=?base64?${Buffer.from("\u{1f600}~~>>??").toString("base64url")}?=`],
    ["blanks inside", `=?base64?${GOOD.slice(0, 4)} ${GOOD.slice(4)}?=`],
    ["no base64", "=?base64?***?="],
    ["invalid UTF-8", `=?base64?${Buffer.from(WORD, "latin1").toString("base64")}?=`],
    ["UTF-8 cut short", `=?base64?${Buffer.from(WORD).subarray(0, 2).toString("base64")}?=`],
    ["nothing in it", "=?base64??="],
    ["it twice", base64(base64(WORD))],
    ["the word as it is, which no header may hold", WORD],
  ])("case HTTP-31 HDR-10 HDR-17 refuses %s", async (_what, header) => {
    const params = { name: "find", arguments: { place: WORD } };
    await passes("tools/call", params, { "mcp-param-region": base64(WORD) });
    await mismatches("tools/call", params, { "mcp-param-region": header });
  });

  test("HDR-17 does not decode invalid UTF-8 as the replacement character", async () => {
    const params = { name: "find", arguments: { place: "a\ufffd" } };
    await passes("tools/call", params, { "mcp-param-region": base64("a\ufffd") });
    await mismatches("tools/call", params, { "mcp-param-region": `=?base64?${Buffer.from([0x61, 0xff]).toString("base64")}?=` });
  });

  test("HDR-10 reads another spelling of the marker as literal text", async () => {
    for (const place of [`=?BASE64?${GOOD}?=`, "=?base64?", "?=", `x=?base64?${GOOD}?=`]) {
      await passes("tools/call", { name: "find", arguments: { place } }, { "mcp-param-region": place });
    }
  });

  test.each<[string, Json, Headers]>([
    ["a string", { place: "here" }, { "mcp-param-region": "here" }],
    ["an empty string", { place: "" }, { "mcp-param-region": "" }],
    ["an empty string in base64", { place: "" }, { "mcp-param-region": "=?base64??=" }],
    ["a string that begins with a byte order mark", { place: "\ufeffhere" }, { "mcp-param-region": base64("\ufeffhere") }],
    ["a string of all kinds", { place: "a\u0000\r\n\t\u{1f600} " }, { "mcp-param-region": base64("a\u0000\r\n\t\u{1f600} ") }],
    ["a string with a tab", { place: "a\tb" }, { "mcp-param-region": "a\tb" }],
    ["an integer", { count: 42 }, { "mcp-param-count": "42" }],
    ["an integer with a fraction of nothing", { count: 42 }, { "mcp-param-count": "42.0" }],
    ["an integer in the body with a fraction of nothing", { count: 42.0 }, { "mcp-param-count": "42" }],
    ["a negative integer", { count: -7 }, { "mcp-param-count": "-7" }],
    ["nothing below", { count: 0 }, { "mcp-param-count": "0" }],
    ["zeros in front", { count: 7 }, { "mcp-param-count": "007" }],
    ["an integer in base64", { count: 42 }, { "mcp-param-count": base64("42") }],
    ["the greatest safe integer", { count: Number.MAX_SAFE_INTEGER }, { "mcp-param-count": "9007199254740991" }],
    ["yes", { loud: true }, { "mcp-param-loud": "true" }],
    ["no", { loud: false }, { "mcp-param-loud": "false" }],
    ["deep inside", { in: { shelf: "top" } }, { "mcp-param-shelf": "top" }],
    [
      "several",
      { place: "here", count: 1, loud: true, in: { shelf: "top" } },
      { "mcp-param-region": "here", "mcp-param-count": "1", "mcp-param-loud": "true", "mcp-param-shelf": "top" },
    ],
    ["none", {}, {}],
    ["an argument that is not marked", { region: "x" }, {}],
    ["headers that nothing asks for", {}, { "mcp-param-other": "x" }],
  ])("HDR-11 HDR-15 HDR-18 accepts an argument in its header: %s", async (_what, args, headers) =>
    passes("tools/call", { name: "find", arguments: args }, headers),
  );

  test("HDR-15 expects no header for an argument that is null or missing", async () => {
    for (const args of [{ place: null }, { count: null, loud: null }, { in: null }, { in: {} }, { in: { shelf: null } }]) {
      const [status, body] = await asked("tools/call", { name: "find", arguments: args }, {});
      expect([status, body], JSON.stringify(args)).toMatchObject([200, { result: { resultType: "complete" } }]); // the schema may refuse it
    }
    await passes("tools/call", { name: "find" }, {});
  });

  test("HDR-15 HDR-16 reads no inherited members of objects as arguments", async () => {
    await passes("tools/call", { name: "inherit", arguments: {} }, {});
    await mismatches("tools/call", { name: "inherit", arguments: { constructor: "me" } }, {});
    await passes("tools/call", { name: "inherit", arguments: { constructor: "me" } }, { "mcp-param-made": "me" });
  });

  test.each<[string, Json, Headers]>([
    ["no header", { place: "here" }, {}],
    ["no header for a false", { loud: false }, {}],
    ["no header for a 0", { count: 0 }, {}],
    ["no header for an empty string", { place: "" }, {}],
    ["no header for what is deep inside", { in: { shelf: "top" } }, {}],
    ["one of two", { place: "here", count: 1 }, { "mcp-param-region": "here" }],
    ["another string", { place: "here" }, { "mcp-param-region": "there" }],
    ["other case", { place: "here" }, { "mcp-param-region": "Here" }],
    ["a header for what is not in the body", {}, { "mcp-param-region": "here" }],
    ["another integer", { count: 42 }, { "mcp-param-count": "43" }],
    ["an integer and more", { count: 42 }, { "mcp-param-count": "42.5" }],
    ["an integer and text", { count: 42 }, { "mcp-param-count": "42x" }],
    ["an integer in hexadecimal", { count: 42 }, { "mcp-param-count": "0x2a" }],
    ["an integer with an exponent", { count: 100 }, { "mcp-param-count": "1e2" }],
    ["no digits", { count: 0 }, { "mcp-param-count": "" }],
    ["digits in groups", { count: 1000 }, { "mcp-param-count": "1,000" }],
    ["an integer that is not safe", { count: 2 ** 53 }, { "mcp-param-count": "9007199254740992" }],
    ["one beside it", { count: 2 ** 53 }, { "mcp-param-count": "9007199254740993" }],
    ["yes as a number", { loud: true }, { "mcp-param-loud": "1" }],
    ["yes in other case", { loud: true }, { "mcp-param-loud": "True" }],
    ["a letter that no header may hold", { place: "é" }, { "mcp-param-region": "é" }],
  ])("HDR-16 HDR-17 HDR-18 HDR-23 refuses an argument that differs from its header: %s", async (_what, args, headers) =>
    mismatches("tools/call", { name: "find", arguments: args }, headers),
  );

  test("reports a wrong or unknown name in the body as an error of the body", async () => {
    for (const name of [1, null, {}, ["find"], undefined])
      expect(await asked("tools/call", { name }, { "mcp-name": "find" })).toEqual([200, refused(-32602)]);
    expect(await asked("tools/call", { name: "nobody" }, {})).toEqual([200, refused(-32602)]);
    expect(await asked("tools/call", { name: "find", arguments: "here" }, {})).toEqual([200, refused(-32602)]);
  });

  test("refuses a duplicate header", async () => {
    for (const headers of [
      { "mcp-method": ["tools/call", "tools/call"] },
      { "mcp-name": ["find", "find"] },
      { "mcp-param-region": ["here", "here"] },
    ]) {
      const [status] = await asked(
        "tools/call",
        { name: "find", arguments: { place: "here" } },
        { "mcp-param-region": "here", ...headers },
      );
      expect(status).toBe(400);
    }
  });

  test("ERR-05 ERR-14 fails only the call of a lazy schema with faulty header marks", async () => {
    const late = tool({ name: "late", input: () => z.object({ price: z.number().meta({ [MARK]: "Price" }) }), run: () => "" });
    const server = makeServer();
    server.tools.add(late);
    await using broken = await face.open(server);
    const answer = await broken.call("late", { price: 1 });
    expect([answer.status, await answer.json()]).toEqual([500, { jsonrpc: "2.0", error: { code: -32603, message: "Internal error" } }]);
    expect((await broken.call("find")).status).toBe(200);
  });
});
