// What write_file says about the encoding and the lines of the file that it extends or replaces.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { connectTo, tempFolder } from "@oarlock/testing";
import { targetOf } from "../support/target.ts";
import { text } from "../support/served-folder.ts";

const JOINED = "The last line of the file had no newline, so the text was added to that line.";

test.each<[string, Buffer, object, Buffer, string | undefined]>([
  ["an unfinished last line", Buffer.from("a\nb"), { content: "c\n" }, Buffer.from("a\nbc\n"), JOINED],
  ["a text that begins with a newline", Buffer.from("a\nb"), { content: "\nc\n" }, Buffer.from("a\nb\nc\n"), undefined],
  ["complete lines", Buffer.from("a\n"), { content: "c\n" }, Buffer.from("a\nc\n"), undefined],
  [
    "CRLF",
    Buffer.from("a\r\n"),
    { content: "b\nc\n" },
    Buffer.from("a\r\nb\r\nc\r\n"),
    "The line endings of the text became CRLF, as in the file.",
  ],
  ["LF", Buffer.from("a\n"), { content: "b\r\n" }, Buffer.from("a\nb\n"), "The line endings of the text became LF, as in the file."],
  ["mixed line endings", Buffer.from("a\r\nb\n"), { content: "c\r\n" }, Buffer.from("a\r\nb\nc\r\n"), undefined],
  [
    "carriage returns only",
    Buffer.from("a\r"),
    { content: "b\nc\n" },
    Buffer.from("a\rb\rc\r"),
    "The line endings of the text became CR, as in the file.",
  ],
  [
    "another encoding",
    Buffer.from("é\n", "latin1"),
    { content: "ü\n" },
    Buffer.from("é\nü\n", "latin1"),
    "The text was written as windows-1252, the encoding of the file.",
  ],
  [
    "a named encoding that does not fit",
    Buffer.from("é\n"),
    { content: "ü\n", encoding: "latin1" },
    Buffer.from("é\nü\n"),
    "The text was written as utf-8, the encoding of the file.",
  ],
  ["bytes", Buffer.from("a\r\nb"), { content: "Cg==", encoding: "base64" }, Buffer.from("a\r\nb\n"), undefined],
])("appends to %s", async (_, before, args, after, note) => {
  await using folder = tempFolder({ f: before });
  await using wired = await connectTo(await targetOf({ directories: [folder.path] }));
  const reply = text(await wired.client.call("write_file", { path: folder.at("f"), mode: "append", ...args }));
  expect(readFileSync(folder.at("f"))).toEqual(after);
  expect(reply.split("\n").slice(1)).toEqual(note === undefined ? [] : [note]);
});

test.each<[string, Buffer, object, string | undefined]>([
  [
    "a windows-1252 file",
    Buffer.from("é\n", "latin1"),
    { content: "ü\n" },
    "The file was windows-1252 and is utf-8 now. To keep it, write it again with encoding windows-1252.",
  ],
  ["a windows-1252 file by ASCII", Buffer.from("é\n", "latin1"), { content: "u\n" }, undefined],
  ["a windows-1252 file in a named encoding", Buffer.from("é\n", "latin1"), { content: "ü\n", encoding: "utf-8" }, undefined],
  [
    "UTF-16 without a mark",
    Buffer.from("text\n", "utf16le"),
    { content: "x\n" },
    "The file was utf-16le and is utf-8 now. To keep it, write it again with encoding utf-16le.",
  ],
  ["a binary file", Buffer.of(0, 255, 1), { content: "ü" }, undefined],
  ["a UTF-8 file", Buffer.from("é"), { content: "ü" }, undefined],
])("says that an overwritten file has another encoding: %s", async (_, before, args, note) => {
  await using folder = tempFolder({ f: before });
  await using wired = await connectTo(await targetOf({ directories: [folder.path] }));
  const reply = text(await wired.client.call("write_file", { path: folder.at("f"), ...args }));
  expect(reply.split("\n").slice(1)).toEqual(note === undefined ? [] : [note]);
});
