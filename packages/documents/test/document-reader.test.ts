// The worker of a document: its result, its errors, and its ends by time and cancellation.
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { readDocument } from "../src/index.ts";
import { docxOf, paragraph } from "./support/archives.ts";
import { pdfOf } from "./support/pdf.ts";

test("reads a document in a worker, and takes its bytes over", async () => {
  const bytes = docxOf(paragraph("text"));
  expect(await readDocument({ bytes, maxChars: 100 })).toMatchObject({ format: "docx", parts: [{ number: 1, text: "text" }] });
  expect(bytes.length).toBe(0);
});

test("throws the error of the worker", async () => {
  await expect(readDocument({ bytes: new Uint8Array(Buffer.from("text")) })).rejects.toMatchObject({
    name: "DocumentError",
    code: "unknown-format",
  });
});

/** Takes PDF.js many seconds. */
const content = deflateSync(Buffer.from("BT /F1 12 Tf (x) Tj ET ".repeat(1_000_000)), { level: 1 });
const endless = (): Uint8Array<ArrayBuffer> => pdfOf(["-"], { content });

test("ends a worker that takes too long", async () => {
  await expect(readDocument({ bytes: endless(), deadlineMs: 300 })).rejects.toMatchObject({
    code: "too-large",
    message: "Document too large: reading it takes longer than 0.3 s.",
  });
});

test("ends a worker when its call is cancelled", async () => {
  const cancelled = new Error("cancelled");
  const signal = AbortSignal.timeout(50);
  await expect(readDocument({ bytes: endless(), signal })).rejects.toMatchObject({ name: "TimeoutError" });
  await expect(readDocument({ bytes: docxOf(""), signal: AbortSignal.abort(cancelled) })).rejects.toBe(cancelled);
});
