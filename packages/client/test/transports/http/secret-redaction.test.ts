import { expect, test } from "vitest";
import { SecretRedaction } from "../../../src/transports/http/secret-redaction.ts";

test("hides the last hundred tokens and all configured secrets", () => {
  const secrets = new SecretRedaction();
  secrets.add("configured");
  for (let number = 0; number < 101; number++) {
    secrets.addToken(`token-${number}.`);
    secrets.addToken("token-in-use.");
  }
  expect(secrets.apply("configured token-0. token-2. token-100. token-in-use.")).toBe("[hidden] token-0. [hidden] [hidden] [hidden]");
});
