/** PATH-20 to PATH-30: what a path text or URI may be. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../../src/disk/write/directory-maker.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { pathOfUri, uriOfPath } from "../../../src/disk/text/file-uri.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { allActs, looks } from "../support/operations.ts";
import { refusal, refuses, world } from "../support/world.ts";

test("PATH-20 refuses NUL and cuts nothing off at it", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "ok.txt"), "ok");
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  for (const path of ["ok.txt\0.png", "\0", "ok.txt\0"]) await refuses("invalid", ...allActs(sandbox, path));
  expect(readdirSync(root).toSorted()).toEqual(["ok.txt", "plain.txt"]);
});

test("PATH-21 answers long input with a short error", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  for (const path of ["n".repeat(300), "p/".repeat(2500), "q".repeat(1_000_000), "é".repeat(3000)]) {
    for (const act of allActs(sandbox, path)) {
      const error = await refusal(act);
      expect(error.code).toBe("invalid");
      expect(error.message.length).toBeLessThan(400);
    }
  }
});

test("PATH-22 refuses many components, too long or not", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  for (const part of ["a/", "../", "./", "//"]) {
    const acts = [
      ...allActs(sandbox, part.repeat(100_000)),
      ...looks(sandbox, part.repeat(1300)),
      ...looks(sandbox, `${root}/${part.repeat(1300)}x`),
    ];
    for (const act of acts) await refusal(act).catch(() => undefined);
  }
});

test("PATH-23 reads a tilde as a file name, not as the home", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "~"), "really");
  const sandbox = await open();
  await refuses(
    "not-found",
    () => readText(sandbox, "~root/x"),
    () => readText(sandbox, "~user"),
  );
  await refuses("not-a-folder", () => readText(sandbox, "~/x"));
  expect((await readText(sandbox, "./~")).content).toBe("really");
  expect((await readText(sandbox, "~")).content).toBe("really");
});

test("PATH-24 PATH-25 reads variables and percent signs as plain names", async () => {
  const { root, open } = world();
  const sandbox = await open();
  for (const name of ["$HOME", "${HOME}", "%USERPROFILE%\\x", "`id`", "%2e%2e%2fOUT%2fsecret.txt", "$(id)"]) {
    await refuses("not-found", () => readText(sandbox, name));
    await writeText(sandbox, name, "x");
    expect(readdirSync(root)).toContain(name);
  }
  await refuses("not-a-folder", () => readText(sandbox, "$HOME/x"));
  await refuses("not-found", () => readText(sandbox, "%2e%2e/OUT/secret.txt"));
});

const bad = (uri: string) => expect(() => pathOfUri(uri)).toThrow(/Expected a URI/);

test("PATH-26 decodes double encoding once", async () => {
  const { root, open } = world();
  const path = pathOfUri(`file://${root}/%252e%252e/OUT/secret.txt`);
  expect(path).toBe(`${root}/%2e%2e/OUT/secret.txt`);
  const sandbox = await open();
  await refuses("not-found", () => readText(sandbox, path));
});

test("PATH-27 refuses encoded separators and dots", () => {
  for (const rest of [
    "a%2F..%2F..%2FOUT%2Fsecret.txt",
    "a%2fb",
    "a%5Cb",
    "a%5cb",
    "%2e%2e/OUT",
    "%2E%2e/x",
    "../OUT",
    "./a",
    "a/.",
    "a/%2e",
    "a\\b",
  ]) {
    bad(`file:///t/ROOT/${rest}`);
  }
});

test("PATH-28 accepts only the empty host and localhost in a URI", () => {
  for (const uri of [
    "file://evil.example/x",
    "file://127.0.0.1/x",
    "file:////x",
    "file:/x",
    "file:x",
    "file://",
    "file://localhost",
    "file://[::1]/x",
  ])
    bad(uri);
  expect(pathOfUri("file://localhost/t/x")).toBe("/t/x");
  expect(pathOfUri("file:///t/x")).toBe("/t/x");
});

test("PATH-29 refuses queries, fragments, users and ports in a URI", () => {
  const extras = ["x?x", "x#f", "x?", "x/", "x//y", "%zz", "%E0%A4", "%", "%2", "%00", "x\ny", "x\0"];
  for (const rest of extras) bad(`file:///t/${rest}`);
  for (const uri of ["file://user@/x", "file://user@localhost/x", "file://localhost:80/x", "file://:80/x", `file:///${"x".repeat(20_000)}`])
    bad(uri);
  expect(pathOfUri("file:///t/x/", { folder: true })).toBe("/t/x");
  expect(pathOfUri("file:///")).toBe("/");
});

test("PATH-30 refuses other schemes", () => {
  for (const uri of ["http://localhost/x", "data:,x", "file:rel", "javascript:1", "", "/t/x", "file", ":///x"]) bad(uri);
  expect(pathOfUri("FILE:///t/x")).toBe("/t/x");
});

test("converts a path to a URI and back", () => {
  for (const path of [
    "/",
    "/t/x",
    "/t/a b",
    "/t/é/日本",
    "/t/%41",
    "/t/a?b#c",
    "/t/a;b@c:d=e+f,g",
    "/t/'(!)*~",
    "/t/\u{1f600}",
    "/t/a%2Fb",
  ]) {
    expect(pathOfUri(uriOfPath(path))).toBe(path);
  }
  expect(uriOfPath("/t/a b?c")).toBe("file:///t/a%20b%3Fc");
});

test("PATH-22 creates, reads and climbs a deep chain", async () => {
  const { root, open } = world();
  mkdirSync(join(root, "x"));
  const sandbox = await open();
  const deep = `x/${"d/".repeat(400)}`;
  expect((await makeFolder(sandbox, deep)).created).toBe(true);
  expect((await makeFolder(sandbox, deep)).created).toBe(false);
  using back = sandbox.folder(`${deep}${"../".repeat(400)}`);
  expect(back.path).toBe(join(root, "x"));
});
