// The challenge of a refused token. https://www.rfc-editor.org/rfc/rfc6750#section-3
import { describe, expect, test } from "vitest";
import { defineServer } from "../../../../src/index.ts";
import { Access } from "../../../../src/transports/http/guard/access.ts";
import type { Authenticator } from "../../../../src/transports/http/guard/authenticator.ts";
import type { HttpExchange } from "../../../../src/transports/http/http-exchange.ts";
import { parseHeaders } from "../../../../src/transports/http/request-headers.ts";

const server = defineServer({ name: "s", version: "1", tools: [] });
const access = (check: Authenticator["check"]): Access =>
  new Access({ server, path: "/mcp", auth: { check }, scope: "files", log: () => undefined });
const request = (...headers: string[]): HttpExchange => ({ headers: parseHeaders(["Host", "localhost", ...headers]) }) as HttpExchange; // all that is read

describe("a token that is refused", () => {
  test.each([
    ["wrong token", "wrong token"],
    ['a "quoted" reason\r\nX-Injected: 1 \\ ü', "a ?quoted? reason??X-Injected: 1 ? ?"],
  ])("is answered with 401, and the reason %j fits into its header", async (denied, expected) => {
    const refused = access(() => ({ denied })).authenticate(request("Authorization", "Bearer x"));
    await expect(refused).rejects.toMatchObject({
      status: 401,
      options: { headers: ["WWW-Authenticate", `Bearer realm="files", error="invalid_token", error_description="${expected}"`] },
    });
  });

  test("is answered with 503 and the time to wait when it cannot be verified", async () => {
    const refused = access(() => Promise.reject(new Error("no keys"))).authenticate(request("Authorization", "Bearer x"));
    await expect(refused).rejects.toMatchObject({ status: 503, options: { headers: ["Retry-After", "5"] } });
  });

  test.each([[["Authorization", "Basic eA=="]], [["Authorization", "Bearer"]], [[]]])(
    "has a bearer token: %j gets 401",
    async (headers) => {
      const never = access(() => {
        throw new Error("not called");
      });
      await expect(never.authenticate(request(...headers))).rejects.toMatchObject({ status: 401 });
    },
  );
});
