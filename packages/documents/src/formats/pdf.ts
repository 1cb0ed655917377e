// PDF files, by PDF.js: the text of pages, and their images when they are asked for. Scripts, links and forms are left alone.
import { getDocumentProxy } from "unpdf";
import { BoundedText } from "../container/bounded-text.ts";
import { EnoughRead } from "../container/xml.ts";
import type { Document } from "../document.ts";
import { broken, DocumentError } from "../document-error.ts";
import { pageImages } from "../images/pdf-images.ts";
import type { PartImages } from "../images/part-images.ts";
import { MAX_IMAGE_PIXELS } from "../limits.ts";

/** No output beside errors, which would go to the log of the server. */
const VERBOSITY_ERRORS = 0;
const NO_TEXT = "[no text on this page: it may be a scan; its images show it]";

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

export async function openPdf(bytes: Uint8Array): Promise<Document> {
  const pdf = await load(bytes);
  return {
    format: "pdf",
    unit: "page",
    title: await titleOf(pdf),
    count: pdf.numPages,
    read: async (index) => {
      const text = await pageText(pdf, index + 1);
      return { text: text === "" ? NO_TEXT : text };
    },
    images: (index, maxBytes) => imagesOf(pdf, index + 1, maxBytes),
  };
}

async function load(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    // A Buffer is refused.
    return await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      verbosity: VERBOSITY_ERRORS,
      useSystemFonts: false,
      disableFontFace: true,
      stopAtErrors: false,
      enableXfa: false,
      maxImageSize: MAX_IMAGE_PIXELS,
    });
  } catch (error) {
    throw describe(error);
  }
}

async function pageText(pdf: PdfDocument, number: number): Promise<string> {
  const text = new BoundedText();
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    for (const item of items) {
      if (!("str" in item)) continue;
      text.add(item.str);
      if (item.hasEOL) text.add("\n");
    }
    page.cleanup();
  } catch (error) {
    if (!(error instanceof EnoughRead)) throw describe(error);
  }
  return text.toString();
}

async function imagesOf(pdf: PdfDocument, number: number, maxBytes: number): Promise<PartImages> {
  try {
    return await pageImages(await pdf.getPage(number), maxBytes);
  } catch (error) {
    throw describe(error);
  }
}

async function titleOf(pdf: PdfDocument): Promise<string | undefined> {
  try {
    const { info } = await pdf.getMetadata();
    const title: unknown = "Title" in info ? info.Title : undefined;
    return typeof title === "string" && title.trim() !== "" ? title.trim().slice(0, 1000) : undefined;
  } catch {
    return undefined; // damaged metadata of a document that can be read
  }
}

function describe(error: unknown): Error {
  if (!(error instanceof Error)) return broken("PDF", "it cannot be read");
  if (error.name === "PasswordException")
    return new DocumentError("encrypted", "Document encrypted: this PDF needs a password. Save it without one.");
  // Of PDF.js, without a path: "Invalid PDF structure."
  return broken("PDF", error.message.replace(/\.$/, "").slice(0, 200));
}
