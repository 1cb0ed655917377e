// Headers that repeat the body, as bytes that no client library would send (node only).
import { afterAll, beforeAll, expect, test } from "vitest";
import { RawHttp } from "../../../support/raw-http.ts";
import { NODE, type Place } from "../../../support/stateless-faces.ts";
import { asks, base64, posting } from "../../../support/stateless-message.ts";
import { stockShop } from "../../../support/stateless-shop.ts";

let place: Place;
beforeAll(async () => void (place = await NODE.open(stockShop().server)));
afterAll(() => place.stop());

/** The status, and the code of an error, of a call whose header lines are replaced. */
async function call(lines: Record<string, string>): Promise<[status: number | undefined, code?: number]> {
  const { headers = {}, body = "" } = posting(asks("tools/call", { name: "echo", arguments: { message: "x" } }));
  const all = { host: `localhost:${place.port}`, connection: "close", "content-length": String(Buffer.byteLength(body)), ...headers };
  const text = Object.entries(all).map(([name, value]) => lines[name] ?? `${name}: ${value}`);
  const came = await RawHttp.exchange(
    place.port,
    Buffer.from(`POST /mcp HTTP/1.1\r\n${text.join("\r\n")}\r\n\r\n${String(body)}`, "latin1"),
  );
  const status = /^HTTP\/1\.1 (\d+)/.exec(came)?.[1];
  const code = /"code":(-?\d+)/.exec(came)?.[1];
  return code === undefined ? [Number(status)] : [Number(status), Number(code)];
}

const PADDED = [
  "mcp-name:echo",
  "mcp-name:   echo",
  "mcp-name: \t echo",
  "mcp-name: echo   ",
  "mcp-name:\techo\t ",
  `mcp-name:  ${base64("echo")} `,
];

test.each([...PADDED, "Mcp-Name: echo", "MCP-NAME: echo", "mCP-nAME: echo"])(
  "case HTTP-31 HDR-05 HDR-07 accepts the bytes %j",
  async (line) => {
    expect(await call({ "mcp-name": line })).toEqual([200]);
  },
);

test.each(["mcp-method:  tools/call\t", "Mcp-Method:tools/call"])("HDR-07 accepts a plain %j", async (line) => {
  expect(await call({ "mcp-method": line })).toEqual([200]);
});

test.each([
  "mcp-name: echo\u00a0",
  "mcp-name: \u00a0echo",
  "mcp-name: echo\u0085",
  "mcp-name: e cho",
  "mcp-name: echo,",
  "mcp-name: echo, echo",
  "mcp-name: \u00c3\u00a9cho",
])("case HTTP-31 HDR-04 HDR-17 refuses %j", async (line) => {
  expect(await call({ "mcp-name": line })).toEqual([400, -32020]);
});

test.each([
  "mcp-name: ec\u0000ho",
  "mcp-name: echo\u0000",
  "mcp-name : echo",
  "mcp-name: echo\r\n  echo",
  "mcp-name: ec\rho",
  "mcp-name: ec\u007fho",
])("HDR-17 refuses characters that a header cannot hold, before or by the comparison: %j", async (line) => {
  expect((await call({ "mcp-name": line }))[0]).toBe(400);
});

test("HDR-04 refuses a duplicate header, whatever its values", async () => {
  expect((await call({ "mcp-name": "mcp-name: echo\r\nMcp-Name: echo" }))[0]).toBe(400);
  expect((await call({ "mcp-name": "mcp-name: echo\r\nMcp-Name: mark" }))[0]).toBe(400);
});
