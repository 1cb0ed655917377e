// Bearer tokens: the secret, the header and the scopes.
import { expect, test } from "vitest";
import { bearerToken, includesScope, parseBearer } from "../../../../src/transports/http/guard/authenticator.ts";

test.each([
  ["Bearer abc", "abc"],
  ["bearer   a+b/c=~", "a+b/c=~"],
  ["BEARER x", "x"],
  ["Bearer", undefined],
  ["Bearer ", undefined],
  ["Bearer a b", undefined],
  ["Bearer\ta", undefined],
  ["Bearera", undefined],
  ["xBearer a", undefined],
  ["Basic eA==", undefined],
  ["Bearer ä", undefined],
  ["Bearer a, Bearer b", undefined],
])("reads the header %j as the token %j", (header, token) => {
  expect(parseBearer(header)).toBe(token);
});

test.each([
  ["the secret", "secret", true],
  ["another text", "secreT", false],
  ["a prefix", "secre", false],
  ["a longer text", "secretsecret", false],
  ["a longer text with a NUL", "secret\0", false],
  ["nothing", "", false],
])("accepts %s as a token: %j, %j", async (_what, token, isAccepted) => {
  const result = await bearerToken("secret").check(token);
  expect(result).toEqual(isAccepted ? { principal: "token", scopes: ["*"], claims: {} } : { denied: "wrong token" });
});

test.each(["", "a b", "ä", "a\n", "x".repeat(4097)])("refuses the secret %j", (secret) => {
  expect(() => bearerToken(secret)).toThrow(TypeError);
});

test("accepts a secret of 4,096 characters", () => {
  expect(() => bearerToken("x".repeat(4096))).not.toThrow();
});

test.each([
  [["files:read"], "files:read", true],
  [["files:write"], "files:read", true],
  [["files:write"], "files:write", true],
  [["*"], "files:write", true],
  [["files:read"], "files:write", false],
  [["other:write"], "files:read", false],
  [["files"], "files:read", false],
  [["files:write:write"], "files:write", false],
  [[], "files:read", false],
])("finds that scopes %j include %s: %j", (scopes, needed, isIncluded) => {
  expect(includesScope(scopes, needed)).toBe(isIncluded);
});
