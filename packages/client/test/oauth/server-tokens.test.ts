// The tokens for one server: read from the store once, and again after a failure.
import { expect, test } from "vitest";
import { memoryStore } from "@oarlock/client/oauth";
import { ServerTokens } from "../../src/oauth/server-tokens.ts";

const SERVER = new URL("https://a.example/mcp");
const TOKENS = { issuer: "https://as.example", resource: SERVER.href, accessToken: "t", tokenType: "bearer", scopes: ["a"] };

test("reads the store again after a failed read", async () => {
  const store = memoryStore();
  await store.saveTokens(SERVER.href, TOKENS);
  let reads = 0;
  const tokens = new ServerTokens({
    ...store,
    tokens: async (server) => {
      if (++reads === 1) throw new Error("locked");
      return store.tokens(server);
    },
  });
  await expect(tokens.load(SERVER)).rejects.toThrow("locked");
  expect(await tokens.load(SERVER)).toEqual(TOKENS);
  expect(await tokens.load(SERVER)).toEqual(TOKENS);
  expect(reads).toBe(2);
});
