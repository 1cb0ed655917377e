// A document that unpacks to more than the memory may hold ends its worker, and nothing else.
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { readDocument } from "../src/index.ts";
import { MAX_GROWTH_BYTES } from "../src/limits.ts";
import { pdfOf } from "./support/pdf.ts";

const DEADLINE_MS = 120_000;

test("refuses a PDF whose page unpacks to more memory than is permitted, and reads the next one", async () => {
  const page = Buffer.alloc(2 * MAX_GROWTH_BYTES, " ");
  const bytes = new Uint8Array(pdfOf(["-"], { content: deflateSync(page, { level: 1 }) }));
  await expect(readDocument({ bytes, deadlineMs: DEADLINE_MS })).rejects.toThrow(
    "Document too large: reading it needs more memory than is permitted.",
  );
  const { parts } = await readDocument({ bytes: new Uint8Array(pdfOf(["Hello"])), deadlineMs: DEADLINE_MS });
  expect(parts[0]?.text).toBe("Hello");
});
