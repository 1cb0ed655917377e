// The audit file begins with what a call has resolved (L6): real paths, whatever the arguments look like.
import { realpathSync } from "node:fs";
import { connectTo, linkTo, reportedChanges, tempFolder, writeTree } from "@oarlock/testing";
import { expect, test } from "vitest";
import { targetOf } from "./support/target.ts";

const EDIT = { edits: [{ oldText: "old", newText: "new" }] };

test.each<[title: string, tool: string, args: (at: (name: string) => string) => object, names: string[]]>([
  ["a path that looks like an address", "write_file", (at) => ({ path: at("r/x://../victim"), content: "" }), ["r/victim"]],
  ["a link", "write_file", (at) => ({ path: at("link"), content: "" }), ["r/victim"]],
  ["new directories", "write_file", (at) => ({ path: at("a/b/c"), content: "", createDirectories: true }), ["a/b", "a/b/c"]],
  ["an edit through a linked directory", "edit_file", (at) => ({ path: at("d/victim"), ...EDIT }), ["r/victim"]],
  ["both ends of a move", "move_file", (at) => ({ source: at("d/victim"), destination: at("x/../m") }), ["m", "r/victim"]],
  ["a copy", "copy_file", (at) => ({ source: at("r"), destination: at("d/../c"), recursive: true }), ["c"]],
  ["a directory", "create_directory", (at) => ({ path: at("d/n/./m") }), ["r/n/m"]],
  ["a deletion", "delete_file", (at) => ({ path: at("d/victim") }), ["r/victim"]],
  ["a dry run", "edit_file", (at) => ({ path: at("r/victim"), dryRun: true, ...EDIT }), []],
  ["a dry run", "delete_file", (at) => ({ path: at("r"), recursive: true, dryRun: true }), []],
])("reports the real path of %s", async (_title, tool, args, names) => {
  await using folder = tempFolder();
  writeTree(folder.path, { "r/victim": "old", "r/x:/f": "", x: {}, d: linkTo("r"), link: linkTo("r/victim") });
  await using wired = await connectTo(await targetOf({ directories: [folder.path], allowDelete: true }));
  const reported = await reportedChanges(() => wired.client.call(tool, { ...args((name) => `${folder.path}/${name}`) }));
  expect(reported.sort()).toEqual(names.map((name) => `${realpathSync(folder.path)}/${name}`));
});
