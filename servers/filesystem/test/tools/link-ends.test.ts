// What replies reveal of a link: its target inside, that the target is missing, and nothing about what lies outside.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { textWithFacts } from "../support/served-folder.ts";
import { targetOf } from "../support/target.ts";

async function linked() {
  const folder = tempFolder({ out: { secret: "s" }, root: { "keep.txt": "k\n", sub: { "f.txt": "f\n" } } });
  mkdirSync(folder.at("root/hidden"));
  writeFileSync(folder.at("root/hidden/x"), "x");
  for (const [name, target] of [
    ["dead", "nowhere"],
    ["chain", "dead"],
    ["good", "keep.txt"],
    ["dir", "sub"],
    ["out", "../out/secret"],
    ["gone", "../out/missing"],
    ["far", "out"],
    ["denied", "hidden/x"],
    ["absent", "hidden/y"],
  ] as const)
    symlinkSync(target, folder.at("root", name));
  const wired = await connectTo(await targetOf({ directories: [folder.at("root")], deny: ["hidden/**"] }));
  return {
    call: async (tool: string, args: object) => textWithFacts(await wired.client.call(tool, args as never)),
    async [Symbol.asyncDispose]() {
      await wired[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("lists where links lead, and which of them are dead or lead outside", async () => {
  await using at = await linked();
  const wanted = [
    "absent (outside)",
    "chain -> dead (does not exist)",
    "dead -> nowhere (does not exist)",
    "denied (outside)",
    "dir -> sub",
    "far -> out (outside)",
    "gone (outside)",
    "good -> keep.txt",
    "out (outside)",
  ];
  for (const tool of ["list_directory", "list_directory_with_sizes"]) {
    const lines = (await at.call(tool, { path: "." })).split("\n").map((line) => line.trimEnd());
    expect(lines.filter((line) => line.startsWith("[LINK]"))).toEqual(wanted.map((line) => `[LINK] ${line}`));
  }
  const found = await at.call("search_files", { path: ".", pattern: "*", type: "symlink", details: true });
  expect(found.split("\n").slice(1)).toEqual(wanted.map((line) => expect.stringContaining(line.replace(/^(\w+)(.*)$/, "$1: symlink$2, "))));
});

test("names the target of a link, and of a dead one that it does not exist", async () => {
  await using at = await linked();
  expect(await at.call("get_file_info", { path: "good" })).toMatch(/\n\[link to keep\.txt, utf-8, LF, 1 line, etag \S+\]$/);
  expect(await at.call("get_file_info", { path: "dir" })).toMatch(/\npermissions: \d+$/);
  for (const tool of ["get_file_info", "read_text_file", "list_directory"]) {
    expect(await at.call(tool, { path: "dead" })).toBe("No such file or directory: dead. It is a link to nowhere, which does not exist");
    expect(await at.call(tool, { path: "chain" })).toBe("No such file or directory: chain. It is a link to dead, which does not exist");
    for (const path of ["out", "gone", "far", "denied", "absent"])
      expect(await at.call(tool, { path })).toBe(`Access denied - path outside allowed directories: ${path}`);
  }
});
