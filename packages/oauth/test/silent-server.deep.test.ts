// How long an authorization server may be silent.
import { expect, test } from "vitest";
import { oauth } from "../src/index.ts";
import { startAuthorizationServer } from "./fixtures/authorization-server.ts";
import { startRoutes } from "./fixtures/http.ts";

const AUDIENCE = "https://mcp.example.com/mcp";

test("AUTH-04 gives up on a silent server after 5 s", async () => {
  await using server = await startRoutes({ "/.well-known/oauth-authorization-server": () => undefined });
  await using real = await startAuthorizationServer();
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const token = await real.sign({ iss: server.origin, aud: AUDIENCE, sub: "anna", exp }, {}, real.key);
  const start = performance.now();
  await expect(oauth({ issuer: server.origin, audience: AUDIENCE }).check(token)).rejects.toThrow("cannot be read");
  expect(performance.now() - start).toBeGreaterThan(4900);
  expect(performance.now() - start).toBeLessThan(50_000); // without a deadline it never ends
});
