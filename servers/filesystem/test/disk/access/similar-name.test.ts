// Names that look the same and differ: each is a file of its own, and the error about a missing one names the other.
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { deletePath } from "../../../src/disk/transfer/delete.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { looks } from "../support/operations.ts";
import { refusal, world } from "../support/world.ts";

const [NFC, NFD] = ["caf\u00e9.txt", "cafe\u0301.txt"];

test.each([
  [NFD, NFC, `There is "${NFD}", which composes its letters differently`],
  [NFC, NFD, `There is "${NFC}", which composes its letters differently`],
  ["Readme.MD", "README.md", 'There is "Readme.MD", which differs in capitals'],
])("suggests %j in the error about %j", needs("names that differ in case"), async (there, asked, words) => {
  const { root, open } = world();
  for (const name of ["0 other", there, "zz"]) writeFileSync(join(root, name), "x");
  const error = await refusal(async () => readText(await open(), asked));
  expect(error.code).toBe("not-found");
  expect(error.message).toContain(words);
});

test.each(["README", "README.md.txt", "STRASSE", "caf\\xE8", "ab\ufffd"])(
  "suggests no unrelated name in the error about %j",
  needs("names that differ in case"),
  async (asked) => {
    const { root, open } = world();
    for (const name of ["README.md", "stra\u00dfe", "0"]) writeFileSync(join(root, name), "x");
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), "x");
    expect((await refusal(async () => readText(await open(), asked))).message).not.toMatch(/There is|UTF-8/);
  },
);

test("distinguishes both forms side by side", needs("names that differ in case"), async () => {
  const { root, open } = world();
  writeFileSync(join(root, NFC), "composed");
  writeFileSync(join(root, NFD), "decomposed");
  const sandbox = await open();
  expect([(await readText(sandbox, NFC)).content, (await readText(sandbox, NFD)).content]).toEqual(["composed", "decomposed"]);
});

test("suggests no hidden entry", needs("names that differ in case"), async () => {
  const { root, open } = world();
  writeFileSync(join(root, "SECRET.txt"), "x");
  const error = await refusal(async () => readText(await open({ deny: ["SECRET.txt"] }), "secret.txt"));
  expect(error.message).not.toContain("SECRET");
});

test.each(["caf\\xE9", "caf\ufffd"])("suggests a name that is not UTF-8 for the request %j", needs("names of any bytes"), async (asked) => {
  const { root, open } = world();
  writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), "x");
  const words = /a name there .* is not UTF-8/i;
  const sandbox = await open();
  expect((await refusal(() => readText(sandbox, asked))).message).toMatch(words);
  expect((await refusal(() => sandbox.look(asked))).message).toMatch(words);
  expect((await refusal(async () => readText(await open({ deny: ["caf*"] }), asked))).message).not.toMatch(words);
});

test("suggests the nearest visible name", async () => {
  const { root, open } = world();
  for (const name of ["notes.txt", "notse.md", "zz"]) writeFileSync(join(root, name), "x");
  const sandbox = await open({ deny: ["*.md"] });
  const words = 'No such file or directory: notse.txt. Did you mean "notes.txt"?';
  const missing = [
    ...looks(sandbox, "notse.txt"),
    () => sandbox.look("notse.txt"),
    () => editText(sandbox, "notse.txt", [{ oldText: "x", newText: "y" }]),
    () => move(sandbox, "notse.txt", "b"),
    () => copy(sandbox, "notse.txt", "b"),
    () => deletePath(sandbox, "notse.txt", {}),
  ];
  for (const call of missing) expect((await refusal(async () => call())).message).toBe(words);
  expect((await refusal(() => readText(sandbox, "report.pdf"))).message).toBe("No such file or directory: report.pdf");
});

test("names the missing target of a dangling link and no other name", needs("names that differ in case"), async () => {
  const { root, open } = world();
  symlinkSync("none", join(root, "notes.txt"));
  writeFileSync(join(root, "note.txt"), "x");
  expect((await refusal(async () => readText(await open(), "notes.txt"))).message).toBe(
    "No such file or directory: notes.txt. It is a link to none, which does not exist",
  );
});
