import { expect, test } from "vitest";
import { traceLine } from "../../src/command/wire-trace.ts";

test.each(["password", "auth_token", "authToken", "private_key", "x-api-key", "client_secret", "Authorization", "tokens"])(
  "hides the value of %s in a trace, also in parts",
  (name) => {
    const message = { params: { arguments: { list: [{ [name]: { value: "s3cret" } }], [name]: "s3cret" } } };
    const line = traceLine("sent", JSON.stringify(message));
    expect(line).not.toContain("s3cret");
    expect(line).toContain(`"${name}":"***"`);
  },
);

test("shows progress tokens, limits and schemas in a trace", () => {
  const message = { _meta: { progressToken: 7 }, maxTokens: 100, properties: { token: { type: "string" } } };
  expect(traceLine("received", JSON.stringify(message))).toBe(`← ${JSON.stringify(message)}`);
});
