// The tools of toolsets that are off by default, over the wire, and the deletion of a FIFO.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
import { accept, connectTo, needs, scriptUser, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { text } from "../support/served-folder.ts";
import { targetOf } from "../support/target.ts";

test("offers the tools of named toolsets", async () => {
  await using folder = tempFolder();
  const namesWith = async (toolsets?: readonly string[]) => {
    await using wired = await connectTo(await targetOf({ directories: [folder.path], ...(toolsets && { toolsets }) }));
    return (await wired.client.tools().all()).map(({ name }) => name);
  };
  expect(await namesWith(["compare", "modes"])).toEqual(["compare_files", "change_mode"]);
  expect((await namesWith()).filter((name) => /compare_files|change_mode/.test(name))).toEqual([]);
});

test("says which files replace_in_files has not searched", async () => {
  await using folder = tempFolder({ a: "one\n", log: "\0one\n", ".env": "x", "b.md": "one" });
  await using wired = await connectTo(await targetOf({ directories: [folder.path], toolsets: ["bulk"] }));
  const replace = async (pattern: string, more: object) =>
    text(await wired.client.call("replace_in_files", { pattern, replaceWith: "x", dryRun: true, path: ".", ...more }));
  expect(await replace("none", { exclude: ["*.md"] })).toBe(
    "No matches found in 1 text file; nothing was replaced.\nLeft out: 1 by globs, 1 with NUL bytes (give the path: log).",
  );
  expect(await replace("one", {})).toBe("Would replace 2 matches in 2 files:\na: 1\nb.md: 1");
  expect(await replace("one", { path: "log" })).toBe("Would replace 1 match in 1 file:\nlog: 1");
});

test("compares files and says in the first line how they differ", async () => {
  await using folder = tempFolder({ a: "one\ntwo\n", b: "one\r\n2\r\n", c: "one\ntwo\n" });
  await using wired = await connectTo(await targetOf({ directories: [folder.path], toolsets: ["compare"] }));
  const compare = async (other: string) => text(await wired.client.call("compare_files", { path: "a", other }));
  expect(await compare("c")).toBe("Identical: both have the same 8 bytes.");
  const [summary, fence, ...diff] = (await compare("b")).split("\n");
  expect([summary, fence]).toEqual(["1 line added, 1 line removed. Not the same form: utf-8, LF and utf-8, CRLF.", "```diff"]);
  expect(diff).toEqual(expect.arrayContaining(["-two", "+2"]));
  writeFileSync(folder.at("b"), "one\r\ntwo\r\n");
  expect(await compare("b")).toBe("The same text, in other bytes. Not the same form: utf-8, LF and utf-8, CRLF.");
});

test("changes a mode and gives the one before", needs("file modes"), async () => {
  await using folder = tempFolder({ run: "#!/bin/sh\n" });
  chmodSync(folder.at("run"), 0o640);
  await using wired = await connectTo(await targetOf({ directories: [folder.path], toolsets: ["modes"] }));
  const change = async (mode: string) => text(await wired.client.call("change_mode", { path: "run", mode }));
  expect(await change("u+x")).toBe("Mode of run: 740, before 640");
  expect(await change("u+x")).toBe("No change: run has mode 740");
  expect(statSync(folder.at("run")).mode & 0o777).toBe(0o740);
});

test("deletes a FIFO after a question that names its kind", needs("named pipes"), async () => {
  await using folder = tempFolder({ root: {}, state: {} });
  execFileSync("mkfifo", [folder.at("root/pipe")]);
  const person = scriptUser([accept({ confirm: true })], ["form"]);
  const target = await targetOf({ directories: [folder.at("root")], stateHome: folder.at("state") });
  await using wired = await connectTo(target, person.handlers);
  expect(text(await wired.client.call("delete_file", { path: "pipe" }))).toBe("Successfully deleted pipe");
  expect(person.requests).toMatchObject([{ kind: "form", message: "Delete the FIFO pipe? It cannot be brought back." }]);
  expect(existsSync(folder.at("root/pipe"))).toBe(false);
});
