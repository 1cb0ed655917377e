// A tool that returns a picture: a PNG of one colour, with a text for models that see none.
import { crc32, deflateSync } from "node:zlib";
import { defineServer, image, text, tool } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";
import * as z from "zod";

/** One part of a PNG: length, type, data and checksum. https://www.w3.org/TR/png/#5DataRep */
function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

/** A square of one colour. */
export function png(size: number, red: number, green: number, blue: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits for each of red, green and blue
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(size * 3, Buffer.from([red, green, blue]))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: size }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

const colour = z.int().min(0).max(255);

const swatch = tool({
  name: "swatch",
  description: "Draw a square of one colour.",
  input: z.object({ red: colour, green: colour, blue: colour, size: z.int().min(1).max(512).default(64) }),
  hints: { readOnly: true, openWorld: false },
  run: ({ red, green, blue, size }) => [
    image(png(size, red, green, blue), "image/png"),
    text(`A square of ${size} by ${size} in rgb(${red}, ${green}, ${blue}).`),
  ],
});

export const server = defineServer({ name: "swatches", version: "1.0.0", tools: [swatch] });

if (process.argv[1] === import.meta.filename) await serveStdio(server).ended;
