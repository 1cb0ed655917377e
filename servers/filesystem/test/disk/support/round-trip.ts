/**
 * Random texts that are written and read again. Each write waits until its bytes are on the disk. Left out are texts whose bytes are those
 * of another one: a mark at the beginning, and ASCII with NULs, which is UTF-16 too.
 */
import { assert, asyncProperty, string } from "fast-check";
import { expect } from "vitest";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { world } from "./world.ts";

const ASCII_WITH_NULS = /^(?=.*\0)[\0-\x7f]*$/s;

export async function writtenComesBack(numRuns: number): Promise<void> {
  const sandbox = await world().open();
  await assert(
    asyncProperty(
      string({ unit: "binary", maxLength: 200 }).filter((text) => !text.startsWith("\ufeff") && !ASCII_WITH_NULS.test(text)),
      async (text) => {
        const written = await writeText(sandbox, "f", text);
        const read = await readText(sandbox, "f");
        expect(read.content).toBe(text);
        expect(read.etag).toBe(written.etag);
      },
    ),
    { numRuns },
  );
}
