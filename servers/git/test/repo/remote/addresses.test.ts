// Addresses of remotes.
import { expect, test } from "vitest";
import { checkAddress } from "../../../src/repo/remote/addresses.ts";

const PROTOCOLS = ["https", "ssh", "file"];

test.each([
  "https://host/p.git",
  "https://user@host:8443/p",
  "ssh://git@host/p",
  "git+ssh://host/p",
  "ssh+git://host/p",
  "git@host:p",
  "host:p",
  "file:///srv/p",
])("accepts the address %s", (address) => {
  expect(() => checkAddress(address, PROTOCOLS)).not.toThrow();
});

test.each([
  ["", "not a valid address"],
  [`https://host/${"x".repeat(2000)}`, "not a valid address"],
  ["https://host/a b", "not a valid address"],
  ["https://host/\u0000", "not a valid address"],
  ["--upload-pack=x", 'begins with "-"'],
  ["http://host/p", "uses http, which is not allowed"],
  ["ext://host/p", "uses ext, which is not allowed"],
  ["HTTPS://host/p", "protocol in capital letters"],
  ["https:///p", "has no valid host"],
  ["ssh://-oProxyCommand=x/p", "has no valid host"],
  ["ssh://git@-x/p", "has no valid host"],
  ["ext::sh -c x", "not a valid address"],
  ["ext::sh", "names a helper program"],
  ["::x", "names a helper program"],
  ["::https://example.org/x.git", "names a helper program"],
  ["https::x", "names a helper program"],
  ["/srv/p", "is a local path"],
  ["./a:b", "is a local path"],
  ["p", "is a local path"],
  ["git@-x:p", "has no valid host"],
  ["-x@host:p", 'begins with "-"'],
])("refuses the address %j", (address, problem) => {
  expect(() => checkAddress(address, PROTOCOLS)).toThrow(problem);
});

test("accepts the short form only with ssh among the protocols", () => {
  expect(() => checkAddress("git@host:p", ["https"])).toThrow("is a local path");
});

test("shows no credentials in a refusal", () => {
  expect(() => checkAddress("http://user:secret@host/p", PROTOCOLS)).toThrow(/^(?!.*secret).*http:\/\/host\/p/);
});

test.each(["C:/repo", "c:repo", "C:\\repo"])("treats the address %s as a local path on Windows only", (address) => {
  expect(() => checkAddress(address, ["https", "ssh"], "win32")).toThrow("is a local path");
  expect(() => checkAddress(address, ["https", "ssh"], "linux")).not.toThrow();
});
