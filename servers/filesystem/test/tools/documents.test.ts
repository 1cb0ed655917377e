// read_document and outline_file over the wire.
import { connectTo, everyRevision, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { importOptional } from "../../src/optional-package.ts";
import { text } from "../support/served-folder.ts";
import { targetOf } from "../support/target.ts";

const toolsets = ["documents", "outline"];

everyRevision("reads a document and outlines a source file", async (revision) => {
  await using folder = tempFolder({ "a.html": "<html><title>T</title><p>Hello", "a.ts": "export class A {\n  m() {}\n}\n" });
  await using wired = await connectTo(await targetOf({ directories: [folder.path], toolsets }), { revision });
  expect(text(await wired.client.call("read_document", { path: "a.html" }))).toBe('HTML "T", 1 part\nHello');
  expect(text(await wired.client.call("outline_file", { path: "a.ts" }))).toBe("1-3 class A\n  2 method m");
});

test("cuts a long document and names where to go on", async () => {
  await using folder = tempFolder({ "a.htm": `<html><p>${"0123456789".repeat(10_000)}` });
  await using wired = await connectTo(await targetOf({ directories: [folder.path], toolsets }));
  const first = await wired.client.call("read_document", { path: "a.htm" });
  expect(text(first)).toMatch(/^HTML, 1 part\n0123.*\n\[cut: go on with part 1, offset 40000\]$/s);
  expect(first.structuredContent).toMatchObject({ format: "html", count: 1, next: { part: 1, offset: 40_000 } });
  const last = text(await wired.client.call("read_document", { path: "a.htm", part: 1, offset: 99_995 }));
  expect(last).toBe("HTML, 1 part\n56789");
});

test("refuses other files in words, with the path of the call", async () => {
  await using folder = tempFolder({ "a.txt": "text" });
  await using wired = await connectTo(await targetOf({ directories: [folder.path], toolsets }));
  const refused = await wired.client.call("read_document", { path: "a.txt" });
  expect(refused.isError).toBe(true);
  expect(text(refused)).toBe("Format not supported: expected a PDF, DOCX, XLSX, PPTX, EPUB or HTML file. (a.txt)");
});

test("names the command that installs a missing package", async () => {
  await expect(importOptional("@example/not-installed", "read_document")).rejects.toThrow(
    "read_document needs the package @example/not-installed, which is not installed beside the server. The operator can run: npm install @example/not-installed",
  );
});
