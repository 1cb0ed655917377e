// The images that a page of a PDF shows: photos, and the page itself where it is a scan. Lines and curves are not drawn.
import { getResolvedPDFJS, type getDocumentProxy } from "unpdf";
import { PartImages } from "./part-images.ts";
import { encodeJpeg, type Raster } from "./raster.ts";

/** Smaller ones are dots, lines and shades of a layout. */
const MIN_SIDE = 16;

export type PdfPage = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>["getPage"]>>;

export async function pageImages(page: PdfPage, maxBytes: number): Promise<PartImages> {
  const found = new PartImages(maxBytes);
  const { fnArray: operators, argsArray } = await page.getOperatorList();
  const { OPS } = await getResolvedPDFJS();
  const painting = new Set([OPS.paintImageXObject, OPS.paintImageXObjectRepeat, OPS.paintImageMaskXObject, OPS.paintInlineImageXObject]);
  const seen = new Set<string>();
  for (const [at, operator] of operators.entries()) {
    if (!painting.has(operator)) continue;
    const painted = (argsArray[at] as readonly (string | InlineImage)[])[0]; // of each of these operators
    const id = typeof painted === "string" ? painted : painted?.data;
    if (typeof id === "string") {
      if (seen.has(id)) continue;
      seen.add(id);
    }
    const raster = typeof id === "string" ? await imageOf(page, id) : (painted as Raster);
    if (raster !== undefined && Math.min(raster.width, raster.height) < MIN_SIDE) continue;
    const encoded = raster === undefined || found.isFull ? undefined : encodeJpeg(raster);
    if (encoded === undefined) found.leaveOut();
    else found.add(encoded);
  }
  return found;
}

/** An image within the operators: its pixels, or the id of them. */
interface InlineImage extends Omit<Raster, "data"> {
  readonly data: Raster["data"] | string;
}

/** Undefined for an image that PDF.js cannot decode. */
async function imageOf(page: PdfPage, id: string): Promise<Raster | undefined> {
  const objects = id.startsWith("g_") ? page.commonObjs : page.objs;
  const image = await new Promise<Partial<Raster> | null>((resolve) => void objects.get(id, resolve));
  return image?.data === undefined ? undefined : (image as Raster);
}
