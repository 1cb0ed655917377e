// Reads a CSV file record by record.
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import type { Parser } from "csv-parse";
import { DbError } from "../errors.ts";
import { isNull, type Field } from "./dialect.ts";

const CHUNK_BYTES = 256 * 1024;
const MAX_RECORD_BYTES = 4_000_000;

export class CsvFile implements AsyncDisposable {
  readonly #stream: ReturnType<typeof createReadStream>;
  readonly #parser: Parser;

  private constructor(fd: number, parser: Parser) {
    this.#stream = createReadStream("", { fd, highWaterMark: CHUNK_BYTES });
    this.#parser = parser;
    const chunks = Readable.from(checkEncoding(this.#stream));
    chunks.once("error", (error) => this.#parser.destroy(error));
    chunks.pipe(this.#parser);
  }

  /** @param fd The open file, which is closed with the reader. */
  static async open(fd: number, delimiter: string): Promise<CsvFile> {
    // Loaded on first use: most sessions import nothing.
    const { parse } = await import("csv-parse");
    const parser = parse({
      delimiter,
      bom: true,
      max_record_size: MAX_RECORD_BYTES,
      // Fields are counted below: an empty line is a record of one NULL in a file of one column.
      relax_column_count: true,
      cast: (text, { quoting }): unknown => ({ text, isQuoted: quoting }) satisfies Field,
    });
    return new CsvFile(fd, parser);
  }

  get bytesRead(): number {
    return this.#stream.bytesRead;
  }

  /** The records, the header first. Every record has as many fields as the header. */
  async *records(): AsyncGenerator<Field[]> {
    let columns: number | undefined;
    let number = 0;
    try {
      for await (const record of this.#parser as AsyncIterable<Field[]>) {
        number += 1;
        const [first] = record;
        const isBlankLine = record.length === 1 && first !== undefined && isNull(first) && columns !== 1;
        if (isBlankLine) continue;
        columns ??= record.length;
        if (record.length !== columns) throw malformed(`record ${number} has ${record.length} fields, the header has ${columns}`);
        yield record;
      }
    } catch (error) {
      const { CsvError } = await import("csv-parse"); // loaded by now
      throw error instanceof CsvError ? malformed(clip(error.message, 300)) : error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stream.destroy();
    this.#parser.destroy();
  }
}

const malformed = (reason: string): DbError =>
  new DbError("sql", `The file is not well-formed CSV: ${reason}. Nothing was imported. Correct the file, or pass its delimiter.`);

/** Refuses text that is not in the encoding that it begins with; decoding would put U+FFFD in its place. */
async function* checkEncoding(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of bytes) {
      const isUtf16 = chunk[0] === 0xff && chunk[1] === 0xfe;
      decoder ??= new TextDecoder(isUtf16 ? "utf-16le" : "utf-8", { fatal: true });
      decoder.decode(chunk, { stream: true });
      yield chunk;
    }
    decoder?.decode();
  } catch (error) {
    if (systemErrorCode(error) !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    throw new DbError("sql", "The file is not valid UTF-8. Nothing was imported. Save it in that encoding.");
  }
}
