// PDF files of lines of text or of images, as ISO 32000-1 describes them.

/** A page for each line. `content`: replaces the stream of the first page, where it is given. */
export function pdfOf(
  lines: readonly string[],
  { title, content }: { title?: string; content?: Uint8Array } = {},
): Uint8Array<ArrayBuffer> {
  const pages = lines.map((_, at) => 4 + at * 2);
  const info = 4 + lines.length * 2;
  const objects: Buffer[] = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from(`<< /Type /Pages /Count ${lines.length} /Kids [${pages.map((page) => `${page} 0 R`).join(" ")}] >>`),
    Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
  ];
  for (const [at, line] of lines.entries()) {
    const page = 4 + at * 2;
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${page + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      ),
    );
    const isDeflated = at === 0 && content !== undefined;
    const drawn = isDeflated ? content : Buffer.from(line === "" ? "" : `BT /F1 12 Tf 20 200 Td (${line}) Tj ET`);
    objects.push(stream(isDeflated ? " /Filter /FlateDecode" : "", drawn));
  }
  objects.push(Buffer.from(`<< /Title (${title ?? ""}) >>`));
  return pdfFile(objects, info);
}

export interface PdfImage {
  /** The entries of its dictionary beside type and length. */
  readonly entries: string;
  readonly data: Uint8Array;
}

/** A PDF file of one page that paints these images, each `times` times, and has no text. */
export function pdfOfImages(images: readonly PdfImage[], times = 1): Uint8Array<ArrayBuffer> {
  const names = images.map((_, at) => `/I${at}`);
  const content = names.map((name) => `${name} Do\n`.repeat(times)).join("");
  return pdfFile([
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from("<< /Type /Pages /Count 1 /Kids [3 0 R] >>"),
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /XObject << ${names.map((name, at) => `${name} ${at + 5} 0 R`).join(" ")} >> >> >>`,
    ),
    stream("", Buffer.from(content)),
    ...images.map(({ entries, data }) => stream(` /Type /XObject /Subtype /Image ${entries}`, data)),
  ]);
}

const stream = (entries: string, data: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`<< /Length ${data.length}${entries} >>\nstream\n`), data, Buffer.from("\nendstream")]);

/** `info`: the number of the object that holds the title. */
function pdfFile(objects: readonly Buffer[], info?: number): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [at, object] of objects.entries()) {
    offsets.push(length);
    const whole = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    parts.push(whole);
    length += whole.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ${objects.length + 1} /Root 1 0 R${info === undefined ? "" : ` /Info ${info} 0 R`} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
}
