// Finds the format of a document in its bytes, whatever its name is.
import { ZipArchive } from "../container/zip-archive.ts";
import type { DocumentFormat } from "../document.ts";
import { DocumentError } from "../document-error.ts";

const HEAD_BYTES = 1024;

/** Throws for files of no format that is known here. */
export function formatOf(bytes: Uint8Array): DocumentFormat {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  if (head.includes("%PDF-")) return "pdf";
  if (head.startsWith("PK")) return zipFormat(bytes);
  // The older formats of Office, and encrypted new ones: [MS-CFB].
  if (head.startsWith("\u00d0\u00cf\u0011\u00e0"))
    throw new DocumentError(
      "unknown-format",
      "Format not supported: an older or encrypted Office file. Save it as DOCX, XLSX or PPTX, without a password.",
    );
  const text = head.replaceAll("\0", "").toLowerCase();
  if (/<(?:!doctype html|html|head|body|title|meta|h[1-6]|p|div|table|span|ul|ol|article)\b/.test(text)) return "html";
  throw new DocumentError("unknown-format", "Format not supported: expected a PDF, DOCX, XLSX, PPTX, EPUB or HTML file.");
}

function zipFormat(bytes: Uint8Array): DocumentFormat {
  const archive = new ZipArchive(bytes, "ZIP");
  if (archive.has("META-INF/container.xml")) return "epub";
  if (archive.names.some((name) => name.startsWith("word/"))) return "docx";
  if (archive.names.some((name) => name.startsWith("xl/"))) return "xlsx";
  if (archive.names.some((name) => name.startsWith("ppt/"))) return "pptx";
  throw new DocumentError("unknown-format", "Format not supported: a ZIP archive that is neither DOCX, XLSX, PPTX nor EPUB.");
}
