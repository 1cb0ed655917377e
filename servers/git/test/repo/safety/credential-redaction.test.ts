// Addresses in texts, without their credentials.
import { expect, test } from "vitest";
import { redactCredentials } from "../../../src/repo/safety/credential-redaction.ts";

test.each([
  ["https://user:secret@host/path", "https://host/path"],
  ["https://user:p@ss@host/path", "https://host/path"],
  ["HTTPS://secret@host", "HTTPS://host"],
  ["git+ssh://secret@host:22/p", "git+ssh://host:22/p"],
  ["a https://one:1@h1/x and 'ssh://two@h2/y'", "a https://h1/x and 'ssh://h2/y'"],
  ["https://host/path?private_token=secret", "https://host/path?…"],
  ["'https://host/p?a=secret' failed", "'https://host/p?…' failed"],
  ["https://u:secret@host/p?t=secret#x", "https://host/p?…"],
  ["https://host/a@b", "https://host/a@b"],
  ["git@host:path", "git@host:path"],
  ["see https://host/ then a@b", "see https://host/ then a@b"],
  ["https://host/p?", "https://host/p?"],
])("redacts %s to %s", (text, redacted) => {
  expect(redactCredentials(text)).toBe(redacted);
});
