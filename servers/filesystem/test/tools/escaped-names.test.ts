// Names with control characters and directional marks: escaped in the same way in the texts and questions of every tool.
import { accept, connectTo, scriptUser, tempFolder } from "@oarlock/testing";
import type { Json } from "@oarlock/server-kit/protocol";
import { expect, test } from "vitest";
import { text } from "../support/served-folder.ts";
import { targetOf } from "../support/target.ts";

// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const NAME = "a\n[FILE] b\u001b[31m\u202egnp.\u2066exe";
const ESCAPED = "a\\n[FILE] b\\x1b[31m\\u202egnp.\\u2066exe";

const CALLS: readonly (readonly [tool: string, args: (path: string, other: string) => Json])[] = [
  ["write_file", (path) => ({ path, content: "plain" })],
  ["write_file", (path) => ({ path, content: "plain", expectedEtag: "c-0" })],
  ["edit_file", (path) => ({ path, edits: [{ oldText: "plain", newText: "plain text" }] })],
  ["edit_file", (path) => ({ path, edits: [{ oldText: "missing", newText: "" }] })],
  ["read_multiple_files", (path) => ({ paths: [path, `${path}x`] })],
  ["read_text_file", (path) => ({ path: `${path}x` })],
  ["list_directory", (path) => ({ path: path.slice(0, path.lastIndexOf("/")) })],
  ["list_directory_with_sizes", (path) => ({ path: path.slice(0, path.lastIndexOf("/")) })],
  ["directory_tree", (path) => ({ path: path.slice(0, path.lastIndexOf("/")) })],
  ["search_files", (path) => ({ path: path.slice(0, path.lastIndexOf("/")), pattern: "**" })],
  ["search_file_contents", (path) => ({ path: path.slice(0, path.lastIndexOf("/")), pattern: "plain" })],
  ["copy_file", (path, other) => ({ source: path, destination: other })],
  ["move_file", (path, other) => ({ source: path, destination: other, overwrite: true })],
  ["move_file", (path, other) => ({ source: other, destination: path })],
  ["create_directory", (path) => ({ path: `${path} d` })],
  ["delete_file", (path) => ({ path, dryRun: true })],
  ["delete_file", (path) => ({ path: `${path} d`, recursive: true })],
  ["undo_change", () => ({ list: true })],
];

test("shows no raw control character or directional mark in text and confirmations", async () => {
  await using folder = tempFolder({ root: {}, state: {} });
  const person = scriptUser(
    Array.from({ length: 3 }, () => accept({ confirm: true })),
    ["form"],
  );
  const target = await targetOf({ directories: [folder.at("root")], stateHome: folder.at("state") });
  await using wired = await connectTo(target, person.handlers);
  const path = folder.at("root", NAME);
  const outcomes: Record<string, string> = {};
  for (const [tool, args] of CALLS) {
    const reply = text(await wired.client.call(tool, args(path, `${path} 2`)));
    expect(reply, tool).not.toMatch(UNSAFE);
    expect(
      reply.split("\n").filter((line) => line.startsWith("[FILE] b")),
      tool,
    ).toEqual([]);
    outcomes[tool] = reply;
  }
  expect(outcomes["undo_change"]).toContain(ESCAPED);
  const questions = person.requests.map((request) => ("message" in request ? request.message : ""));
  expect(questions).toHaveLength(3);
  for (const question of questions) {
    expect(question).not.toMatch(UNSAFE);
    expect(question).not.toContain("\n");
    expect(question).toContain(ESCAPED);
  }
});
