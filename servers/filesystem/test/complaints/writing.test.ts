// Complaints about writing and about the boundary, each answered by a test. The manual lists them.
import { linkSync, readdirSync, statSync } from "node:fs";
import { connectTo, linkTo, needs, tempFolder, type TempFolder, withMode } from "@oarlock/testing";
import { expect, test } from "vitest";
import { fromSystem } from "../../src/disk/errors.ts";
import { text } from "../support/served-folder.ts";
import { soon } from "../support/soon.ts";
import { targetOf } from "../support/target.ts";

const connected = async (folder: TempFolder) => connectTo(await targetOf({ directories: [folder.path] }));

test("servers#2034 shows the nearest lines when an edit fails", async () => {
  await using folder = tempFolder({ f: "function one() {\n  return compute(1);\n}\n" });
  await using wired = await connected(folder);
  const result = await wired.client.call("edit_file", { path: folder.at("f"), edits: [{ oldText: "  return compute(2);", newText: "" }] });
  expect(result.isError).toBe(true);
  expect(text(result)).toMatch(/line 2[^]*return compute\(1\)/);
});

test("servers#4512 keeps the content of another name of a replaced file and notifies the subscriber", async () => {
  await using folder = tempFolder({ f: "old" });
  linkSync(folder.at("f"), folder.at("other"));
  await using wired = await connected(folder);
  let received = 0;
  await wired.client.subscribe(`file://${folder.at("f")}`, () => (received += 1));
  for (const content of ["new", "newer"]) {
    const before = received;
    await wired.client.call("write_file", { path: folder.at("f"), content });
    await soon(
      () => received,
      (count) => count > before,
    );
  }
  expect([folder.read("f"), folder.read("other")]).toEqual(["newer", "old"]);
});

test.each(["EPERM", "EACCES", "EBUSY"])("servers#3199 describes %s in words", (code) => {
  const { message } = fromSystem(Object.assign(new Error(code), { code }), "f");
  expect(message).toMatch(/^(The operating system does not permit this|In use by the system) \(E\w+\)/);
});

test("servers#4115 keeps the execute bit on edit and write", needs("shell scripts"), async () => {
  await using folder = tempFolder({ "run.sh": withMode(0o755, "#!/bin/sh\necho one\n") });
  await using wired = await connected(folder);
  await wired.client.call("edit_file", { path: folder.at("run.sh"), edits: [{ oldText: "one", newText: "two" }] });
  await wired.client.call("write_file", { path: folder.at("run.sh"), content: "#!/bin/sh\n", mode: "append" });
  expect(statSync(folder.at("run.sh")).mode & 0o777).toBe(0o755);
});

test("servers#2807 appends a line without reading or sending the rest", async () => {
  await using folder = tempFolder({ log: "one\n".repeat(20_000) });
  await using wired = await connected(folder);
  const result = await wired.client.call("write_file", { path: folder.at("log"), content: "two\n", mode: "append" });
  expect(JSON.stringify(result).length).toBeLessThan(1000);
  expect(folder.read("log")).toBe(`${"one\n".repeat(20_000)}two\n`);
});

test("DesktopCommanderMCP#554 keeps the end of a file that an edit makes longer", async () => {
  const body = Array.from({ length: 5000 }, (_, at) => `line ${at}\n`).join("");
  await using folder = tempFolder({ f: `${body}last\n` });
  await using wired = await connected(folder);
  await wired.client.call("edit_file", { path: folder.at("f"), edits: [{ oldText: "line 10\n", newText: "€".repeat(100_000) }] });
  expect(folder.read("f")).toBe(`${body.replace("line 10\n", "€".repeat(100_000))}last\n`);
});

test("DesktopCommanderMCP#420 DesktopCommanderMCP#219 DesktopCommanderMCP#374 DesktopCommanderMCP#406 creates no file outside by a link, widens access by no tool, and records nothing", async () => {
  await using folder = tempFolder({ in: { out: linkTo("../out"), dangling: linkTo("../out/new") }, out: {} });
  await using wired = await connectTo(await targetOf({ directories: [folder.at("in")] }));
  for (const path of ["in/out/f", "in/dangling", "in/out/a/b"]) {
    const result = await wired.client.call("write_file", { path: folder.at(path), content: "x", createDirectories: true });
    expect(result.isError, path).toBe(true);
  }
  expect(readdirSync(folder.at("out"))).toEqual([]);
  const names = (await Array.fromAsync(wired.client.tools())).map(({ name }) => name);
  expect(names.filter((name) => /config|setting|allow|history|session|recent/.test(name))).toEqual(["list_allowed_directories"]);
  expect(folder.tree()).toEqual({
    "in/": expect.any(String),
    "in/dangling": expect.any(String),
    "in/out": expect.any(String),
    "out/": expect.any(String),
  });
});
