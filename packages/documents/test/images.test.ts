// Images of a page, sheet, slide or chapter.
import { deflateSync } from "node:zlib";
import jpeg from "jpeg-js";
import { expect, test } from "vitest";
import type { DocumentText } from "../src/document.ts";
import { extractText } from "../src/text-extraction.ts";
import { docxOf, epubOf, paragraph, pptxOf, relationships, xlsxOf } from "./support/archives.ts";
import { pdfOf, pdfOfImages, type PdfImage } from "./support/pdf.ts";

const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.from("a picture")]);
const GIF = Buffer.from("GIF89a, another picture");
const EMF = Buffer.from("\x01\x00\x00\x00, lines that only Office draws");

const read = (bytes: Uint8Array, part = 1, maxImageBytes = 1_000_000): Promise<DocumentText> => extractText(bytes, { part, maxImageBytes });
const filesOf = ({ images = [] }: DocumentText): string[] => images.map(({ data }) => Buffer.from(data).toString("latin1"));

/** Width, height, and the colour of a pixel. */
function pixelOf(data: Uint8Array, x: number, y: number): number[] {
  const { width, height, data: pixels } = jpeg.decode(data);
  return [width, height, ...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
}

const bilevel = (entries: string): PdfImage => ({
  entries: `/Width 32 /Height 32 /BitsPerComponent 1 ${entries}`,
  data: Buffer.alloc(4 * 32, 0xff).fill(0, 0, 4 * 16), // black above, white below
});

test.each<[string, PdfImage, number[]]>([
  [
    "colours",
    {
      entries: "/Width 32 /Height 32 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode",
      data: deflateSync(Buffer.alloc(32 * 32 * 3, Buffer.from([250, 0, 0]))),
    },
    [250, 0, 0],
  ],
  [
    "shades of grey",
    { entries: "/Width 32 /Height 32 /ColorSpace /DeviceGray /BitsPerComponent 8", data: Buffer.alloc(32 * 32, 90) },
    [90, 90, 90],
  ],
  ["black and white", bilevel("/ColorSpace /DeviceGray"), [0, 0, 0]],
  ["a mask", bilevel("/ImageMask true"), [0, 0, 0]],
  [
    "JPEG",
    {
      entries: "/Width 40 /Height 32 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode",
      data: jpeg.encode({ width: 40, height: 32, data: Buffer.alloc(40 * 32 * 4, 120) }, 90).data,
    },
    [120, 120, 120],
  ],
])("shows an image of a PDF page in %s", async (_, image, colour) => {
  const { images = [], imagesLeftOut } = await read(pdfOfImages([image]));
  expect([images.length, imagesLeftOut, images[0]?.mimeType]).toEqual([1, 0, "image/jpeg"]);
  const [, , ...pixel] = pixelOf(images[0]?.data ?? new Uint8Array(), 8, 4);
  for (const [at, value] of pixel.entries()) expect(Math.abs(value - (colour[at] ?? 0))).toBeLessThan(12);
});

test("shrinks a scan to what a model looks at, and averages its pixels", async () => {
  // Columns of black and white, by turns.
  const scan = {
    entries: "/Width 3136 /Height 1600 /ColorSpace /DeviceGray /BitsPerComponent 1",
    data: Buffer.alloc(392 * 1600, 0b0101_0101),
  };
  const { images = [] } = await read(pdfOfImages([scan]));
  const [width, height, grey = 0] = pixelOf(images[0]?.data ?? new Uint8Array(), 700, 400);
  expect([width, height]).toEqual([1568, 800]);
  expect(Math.abs(grey - 128)).toBeLessThan(8);
});

test("counts an image that cannot be decoded, shows one that is painted often once, and no dots", async () => {
  const damaged = {
    entries: "/Width 32 /Height 32 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode",
    data: Buffer.alloc(9),
  };
  const dot = { entries: "/Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8", data: Buffer.alloc(4) };
  const { images, imagesLeftOut } = await read(pdfOfImages([damaged, bilevel("/ColorSpace /DeviceGray"), dot], 3));
  expect([images?.length, imagesLeftOut]).toEqual([1, 1]);
});

test("decodes no image of more pixels than are permitted", async () => {
  const huge = {
    entries: "/Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode",
    data: deflateSync(""),
  };
  expect(await read(pdfOfImages([huge]))).toMatchObject({ images: [] });
});

test("shows the images of one page of a DOCX, and counts those that only Office draws", async () => {
  const drawing = (id: number): string => `<w:p><w:drawing><a:blip r:embed="rId${id}"/></w:drawing></w:p>`;
  const body = `${paragraph("One")}<w:r><w:br w:type="page"/></w:r>${paragraph("Two")}${drawing(1)}${drawing(2)}${drawing(1)}`;
  const document = docxOf(body, {
    "word/_rels/document.xml.rels": relationships({ image1: "media/a.png", image2: "media/b.emf" }),
    "word/media/a.png": PNG,
    "word/media/b.emf": EMF,
  });
  expect(await read(document)).toMatchObject({ images: [], imagesLeftOut: 0, parts: [{ text: "One" }], next: { part: 2, offset: 0 } });
  const second = await read(document, 2);
  expect(second).toMatchObject({ imagesLeftOut: 1, parts: [{ text: "Two" }] });
  expect(filesOf(second)).toEqual([PNG.toString("latin1")]);
  expect(second.next).toBeUndefined();
});

test.each([
  [
    "a slide",
    pptxOf(["<a:p/>"], { "ppt/slides/_rels/slide1.xml.rels": relationships({ image1: "../media/a.png", image2: "../media/b.gif" }) }),
    "ppt/media/",
  ],
  [
    "the drawings of a sheet",
    xlsxOf(
      { A: "" },
      {
        "xl/worksheets/_rels/sheet1.xml.rels": relationships({ drawing: "../drawings/d.xml" }),
        "xl/drawings/d.xml": "<xdr/>",
        // A drawing that names itself is read once.
        "xl/drawings/_rels/d.xml.rels": relationships({ image1: "../media/a.png", drawing2: "d.xml", image3: "../media/b.gif" }),
      },
    ),
    "xl/media/",
  ],
  [
    "a chapter",
    epubOf({
      "a.xhtml": '<p><img src="media/a.png"/><svg><image xlink:href="media/b.gif#x"/></svg><img src="https://example.com/c.png"/></p>',
    }),
    "OPS/media/",
  ],
])("shows the images of %s", async (_, bytes, folder) => {
  const { unzipSync, zipSync } = await import("fflate");
  const withMedia = zipSync({ ...unzipSync(bytes), [`${folder}a.png`]: PNG, [`${folder}b.gif`]: GIF });
  expect(filesOf(await read(withMedia))).toEqual([PNG.toString("latin1"), GIF.toString("latin1")]);
});

test("leaves out what has no room, and reads no images unless they are asked for", async () => {
  const slide = pptxOf(["<a:p/>"], {
    "ppt/slides/_rels/slide1.xml.rels": relationships({ image1: "../media/a.png", image2: "../media/b.gif" }),
    "ppt/media/a.png": PNG,
    "ppt/media/b.gif": GIF,
  });
  const some = await read(slide, 1, PNG.length + GIF.length - 1);
  expect([filesOf(some), some.imagesLeftOut]).toEqual([[PNG.toString("latin1")], 1]);
  expect(await extractText(slide)).not.toHaveProperty("images");
  expect(await read(pdfOf(["text only"]))).toMatchObject({ images: [], imagesLeftOut: 0 });
});
