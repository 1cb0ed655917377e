// The arguments of the command.
import { expect, test } from "vitest";
import { parseCommandLine } from "../../src/command/arguments.ts";
import { UsageError } from "../../src/command/usage-error.ts";

test.each([
  [["http://x/mcp", "list"], { action: { kind: "list" }, target: { url: new URL("http://x/mcp") } }],
  [["http://x/mcp"], { action: { kind: "list" } }],
  [["https://x/mcp", "call", "a", '{"b":1}', "--json"], { action: { kind: "call", name: "a", args: { b: 1 } }, json: true }],
  [["https://x/mcp", "login"], { action: { kind: "login" }, scopes: undefined }],
  [["https://x/mcp", "login", "--scope", "a:read  a:write"], { scopes: ["a:read", "a:write"] }],
  [["--trace", "read", "a://b", "--", "node", "x.js", "--json"], { action: { kind: "read", uri: "a://b" }, trace: true, json: false }],
  [["list", "--", "node", "x.js", "--", "y"], { target: { command: "node", args: ["x.js", "--", "y"] } }],
  [["prompt", "p", '{"a":"b"}', "--", "x"], { action: { kind: "prompt", name: "p", args: { a: "b" } } }],
  [["listen", "a://1", "a://2", "a://3", "--", "x"], { action: { kind: "listen", uris: ["a://1", "a://2", "a://3"] } }],
  [["http://x", "list", "--revision", "2025-06-18", "--timeout=2.5"], { revision: "2025-06-18", timeoutMs: 2500 }],
  [["http://x", "list", "--header", "X-A: b: c", "--header", "Y:"], { headers: { "X-A": "b: c", Y: "" } }],
  [["http://x", "list", "--token-file", "t", "--header", "X-A: b"], { tokenFile: "t", headers: { "X-A": "b" } }],
])("parses %j", (argv, expected) => {
  expect(parseCommandLine(argv)).toMatchObject(expected);
});

test.each([[["--help"]], [["-h", "nonsense"]]])("parses %j as a request for help", (argv) => expect(parseCommandLine(argv)).toBe("help"));

test.each([
  [[], /server is missing/],
  [["list"], /"list" is not a URL/],
  [["ftp://x", "list"], /is not a URL/],
  [["http://[", "list"], /is not a URL/],
  [["list", "--"], /command of the server is missing/],
  [["http://x", "toast"], /Unknown action "toast": list, call/],
  [["http://x", "call"], /needs the name of a tool/],
  [["http://x", "list", "--scope", "a"], /--scope needs action login/],
  [["http://x", "login", "--scope", " "], /--scope needs scopes, such as/],
  [["http://x", "call", "a", "{"], /not JSON/],
  [["http://x", "call", "a", "[1]"], /not a JSON object/],
  [["http://x", "call", "a", "{}", "b"], /Unexpected argument "b" behind the arguments/],
  [["http://x", "call", "a", "path=a b.txt", "head=3"], /not NAME=VALUE but one JSON object: write '\{"path":"a b\.txt","head":3\}'$/],
  [["http://x", "call", "a", "--path=a"], /Unknown option '--path'/],
  [["http://x", "prompt", "a", "n=3"], /write '\{"n":"3"\}'$/],
  [["http://x", "call", "a", "who=it's"], /write '\{"who":"it'\\''s"\}'$/],
  [["http://x", "call", "a", "{path:a.txt}"], /no double quotes: .* In cmd\.exe write "\{\\"path\\":/],
  [["http://x", "call", "a", "{path:", "a.txt}"], /no double quotes/],
  [["http://x", "call", "a", '{"path":', '"a.txt"}'], /are 2 words: put the whole JSON object in single quotes/],
  [["http://x", "call", "a", '{"path":"a"'], /not JSON \(Expected .*\): an object such as/],
  [["http://x", "call", "a", "path", "a.txt"], /not a JSON object: .* The action list shows the names/],
  [["http://x", "list", "b"], /Unexpected argument "b" of action list/],
  [["http://x", "prompt", "a", '{"b":1}'], /"b" of a prompt is not a text/],
  [["http://x", "read"], /URI of a resource/],
  [["login", "--", "x"], /login needs the URL/],
  [["http://x", "list", "--jsn"], /--jsn/],
  [["http://x", "list", "--header", "no colon"], /X-Team/],
  [["http://x", "list", "--timeout", "0"], /number of seconds/],
  [["list", "--token-file", "t", "--", "x"], /--token-file needs the URL/],
  [["http://x", "login", "--token-file", "t"], /--token-file and action login exclude/],
  [["http://x", "list", "--token-file", "t", "--header", "AUTHORIZATION: Bearer x"], /--token-file and a header Authorization exclude/],
  [["http://x", "list", "--token-file", ""], /path of a file/],
])("refuses %j", (argv, message) => {
  expect(() => parseCommandLine(argv)).toThrow(UsageError);
  expect(() => parseCommandLine(argv)).toThrow(message);
});
