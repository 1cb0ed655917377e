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

test("shows the images of a part after its text, and says when there are none", async () => {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>",
    "<< /Length 5 >>\nstream\n/I Do\nendstream",
    `<< /Type /XObject /Subtype /Image /Width 16 /Height 16 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /ASCIIHexDecode /Length 512 >>\nstream\n${"5a".repeat(256)}\nendstream`,
  ];
  const scan = `%PDF-1.4\n${objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join("")}trailer << /Root 1 0 R >>\n`;
  await using folder = tempFolder({ "a.html": "<html><p>Hello", "scan.pdf": scan });
  await using wired = await connectTo(await targetOf({ directories: [folder.path], toolsets }));
  const seen = await wired.client.call("read_document", { path: "scan.pdf", images: true });
  expect(seen.content).toEqual([
    { type: "text", text: "PDF, 1 page\n[no text on this page: it may be a scan; its images show it]" },
    { type: "image", mimeType: "image/jpeg", data: expect.stringMatching(/^\/9j\//) },
  ]);
  expect((await wired.client.call("read_document", { path: "scan.pdf" })).content).toHaveLength(1);
  const without = text(await wired.client.call("read_document", { path: "a.html", images: true }));
  expect(without).toBe("HTML, 1 part\nHello\n[no images in this part that can be read]");
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
