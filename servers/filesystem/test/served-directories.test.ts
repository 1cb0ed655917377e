// The directories that are served: several, spelled in odd ways, read-only, and with paths that are hidden.
import { link } from "node:fs/promises";
import { connectTo, linkTo, tempFolder, type TempFolder, type TestConnection } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { text } from "./support/served-folder.ts";
import { targetOf, type Setup } from "./support/target.ts";

const served = async (setup: Setup): Promise<TestConnection> => connectTo(await targetOf(setup));
const replyText = async ({ client }: TestConnection, name: string, args: Record<string, unknown>): Promise<string> =>
  text(await client.call(name, args));
const DENIED = /^Access denied - path outside allowed directories: /;

describe("served directories", () => {
  test("include each one", async () => {
    await using folder = tempFolder({ a: { f: "1" }, b: { f: "2" } });
    await using wired = await served({ directories: [folder.at("a"), folder.at("b")] });
    expect(await replyText(wired, "list_allowed_directories", {})).toBe(`Allowed directories:\n${folder.at("a")}\n${folder.at("b")}`);
    // A relative path is meant in each, first fit.
    expect(await replyText(wired, "read_text_file", { path: "f" })).toBe("1");
  });

  test("PATH-13 refuse with refuseHardLinks to read and edit a file with another name", async () => {
    await using folder = tempFolder({ f: "x", single: "y" });
    await link(folder.at("f"), folder.at("other"));
    await using wired = await served({ directories: [folder.path], refuseHardLinks: true });
    expect(await replyText(wired, "read_text_file", { path: "single" })).toBe("y");
    for (const path of ["f", "other"]) expect(await replyText(wired, "read_text_file", { path })).toMatch(/name|link/i);
    expect(await replyText(wired, "edit_file", { path: "f", edits: [{ oldText: "x", newText: "z" }] })).toMatch(/name|link/i);
    // A write replaces the one name and reads nothing of what the others share.
    await replyText(wired, "write_file", { path: "f", content: "z" });
    expect(folder.read("other")).toBe("x");
  });

  test("PATH-16 include one given as a link under both spellings", async () => {
    await using folder = tempFolder({ real: { f: "x" }, link: linkTo("real") });
    await using wired = await served({ directories: [folder.at("link")] });
    for (const path of [folder.at("link/f"), folder.at("real/f"), "f"])
      expect(await replyText(wired, "read_text_file", { path })).toBe("x");
    expect(await replyText(wired, "list_directory", { path: folder.path })).toMatch(DENIED);
  });

  test("PATH-05 treat other spellings of one as the same", async () => {
    await using folder = tempFolder({ data: { f: "x" }, "data-secret": { f: "canary" }, x: {} });
    for (const spelling of ["data/", "/data", "./data", "x/../data"].map((path) => `${folder.path}/${path}`)) {
      await using wired = await served({ directories: [spelling] });
      expect(await replyText(wired, "read_text_file", { path: folder.at("data/f") }), spelling).toBe("x");
      expect(await replyText(wired, "read_text_file", { path: folder.at("data-secret/f") }), spelling).toMatch(DENIED);
    }
  });
});

describe("write permission", () => {
  test("allows reads and no writes in DIR:ro, beside a writable one", async () => {
    await using folder = tempFolder({ ro: { f: "x", d: {} }, rw: { g: "y" } });
    await using wired = await served({ directories: [`${folder.at("ro")}:ro`, folder.at("rw")] });
    expect(await replyText(wired, "read_text_file", { path: folder.at("ro/f") })).toBe("x");
    const before = folder.tree();
    await refusesWrites(wired, folder, "ro");
    expect(await replyText(wired, "move_file", { source: folder.at("rw/g"), destination: folder.at("ro/g") })).toMatch(READ_ONLY);
    expect(await replyText(wired, "move_file", { source: folder.at("ro/f"), destination: folder.at("rw/f") })).toMatch(READ_ONLY);
    expect(folder.tree()).toEqual(before);
    expect(await replyText(wired, "write_file", { path: folder.at("rw/new"), content: "x" })).toMatch(/^Successfully/);
    const { structuredContent } = await wired.client.call("list_allowed_directories");
    expect(structuredContent).toMatchObject({
      directories: [
        { path: folder.at("ro"), writable: false, source: "cli" },
        { path: folder.at("rw"), writable: true, source: "cli" },
      ],
    });
  });
});

const READ_ONLY = /read-only|only be read/i;

async function refusesWrites(wired: TestConnection, folder: TempFolder, at: string): Promise<void> {
  for (const [name, args] of [
    ["write_file", { path: folder.at(at, "f"), content: "y" }],
    ["write_file", { path: folder.at(at, "new"), content: "y" }],
    ["write_file", { path: folder.at(at, "a/b/new"), content: "y", createDirectories: true }],
    ["edit_file", { path: folder.at(at, "f"), edits: [{ oldText: "x", newText: "y" }] }],
    ["create_directory", { path: folder.at(at, "new") }],
    ["move_file", { source: folder.at(at, "f"), destination: folder.at(at, "g") }],
  ] as const) {
    expect(await replyText(wired, name, args), `${name} ${JSON.stringify(args)}`).toMatch(READ_ONLY);
  }
}

test("PATH-33 hides matching paths from every tool, resource, completion and prompt", async () => {
  await using folder = tempFolder({
    ".env": "canary",
    "a.txt": "x",
    keys: { "id.pem": "canary", "b.txt": "y" },
    sub: { ".env.local": "canary" },
    link: linkTo(".env"),
  });
  await using wired = await served({ directories: [folder.path], deny: ["**/.env*", "*.pem"] });
  const { client } = wired;
  for (const name of [".env", "keys/id.pem", "sub/.env.local", "link", ".env.new"]) {
    for (const [tool, args] of [
      ["read_text_file", { path: folder.at(name) }],
      ["get_file_info", { path: folder.at(name) }],
      ["read_media_file", { path: folder.at(name) }],
      ["write_file", { path: folder.at(name), content: "x" }],
      ["edit_file", { path: folder.at(name), edits: [{ oldText: "canary", newText: "" }] }],
      ["move_file", { source: folder.at(name), destination: folder.at("moved") }],
      ["move_file", { source: folder.at("a.txt"), destination: folder.at(name) }],
      ["create_directory", { path: folder.at(name) }],
    ] as const) {
      expect(await replyText(wired, tool, args), `${tool} ${name}`).toBe(
        `Access denied - path outside allowed directories: ${folder.at(name)}`,
      );
    }
    await expect(client.read(`file://${folder.at(name)}`)).rejects.toMatchObject({ code: -32002 });
    await expect(client.subscribe(`file://${folder.at(name)}`, () => undefined)).rejects.toMatchObject({ code: -32002 });
  }
  const lists = [
    await replyText(wired, "list_directory", { path: folder.path }),
    await replyText(wired, "list_directory_with_sizes", { path: folder.at("sub") }),
    await replyText(wired, "directory_tree", { path: folder.path }),
    await replyText(wired, "search_files", { path: folder.path, pattern: "**" }),
    JSON.stringify(await client.prompt("explore_directory", { path: folder.path })),
    JSON.stringify(await client.complete({ type: "ref/prompt", name: "explore_directory" }, { name: "path", value: folder.at(".") })),
    JSON.stringify(await client.complete({ type: "ref/resource", uri: "file:///{+path}" }, { name: "path", value: folder.at("keys/") })),
  ];
  for (const list of lists) expect(list).not.toMatch(/\.env|\.pem/);
  // A directory with something hidden in it cannot be moved, or it might show.
  expect(await replyText(wired, "move_file", { source: folder.at("keys"), destination: folder.at("other") })).toMatch(/hidden/);
  expect(await replyText(wired, "read_text_file", { path: folder.at("keys/b.txt") })).toBe("y");
  expect(await replyText(wired, "read_text_file", { path: folder.at(".ENV") })).toMatch(/^No such file/);
});
