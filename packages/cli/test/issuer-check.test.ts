// What doctor finds about an authorization server.
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { checkIssuer } from "../src/doctor/issuer-check.ts";
import { closeServer, listenOn } from "../../../tooling/test-support/src/process/loopback.ts";

/** An authorization server, some members of whose metadata are replaced. */
async function startIssuer({ metadata = {}, keys = [{}], date = new Date() }: { metadata?: object; keys?: object[]; date?: Date }) {
  const server = createServer((request, response) => {
    response.setHeader("date", date.toUTCString());
    if (request.url === "/keys") return void response.end(JSON.stringify({ keys }));
    if (request.url !== "/.well-known/openid-configuration") return void response.writeHead(404).end();
    response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys`, ...metadata }));
  });
  const issuer = `http://127.0.0.1:${await listenOn(server)}`;
  onTestFinished(() => closeServer(server));
  return issuer;
}

test("passes an issuer with metadata and keys", async () => {
  expect(await checkIssuer(await startIssuer({}))).toMatchObject({ ok: true, message: expect.stringContaining("has metadata and 1 key.") });
});

test.each([
  [{ metadata: { issuer: "https://other.example" } }, 'names the issuer "https://other.example"'],
  [{ keys: [] }, "publishes no keys"],
  [{ date: new Date(Date.now() - 600_000) }, /differs from the one here by (?:599|60\d) s/],
])("fails an issuer with %j", async (settings, message) => {
  expect(await checkIssuer(await startIssuer(settings))).toMatchObject({
    ok: false,
    message: typeof message === "string" ? expect.stringContaining(message) : expect.stringMatching(message),
    remedy: expect.any(String),
  });
});

test("fails an issuer that is away, and one without metadata", async () => {
  expect(await checkIssuer("http://127.0.0.1:1")).toMatchObject({ ok: false, message: expect.stringContaining("cannot be asked") });
  const issuer = await startIssuer({});
  expect(await checkIssuer(`${issuer}/tenant`)).toMatchObject({ ok: false, message: expect.stringContaining("has no metadata") });
});
