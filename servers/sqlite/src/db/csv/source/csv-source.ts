// An open CSV file: its encoding and layout, and its records, which can be read several times.
import { closeSync } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import { DbError, refusal } from "../../errors.ts";
import type { Field } from "../dialect.ts";
import { decodedChunks, detectEncoding } from "./encoding.ts";
import { detectLayout, withoutLines, type GivenLayout, type Layout } from "./layout.ts";
import { isBlank, LENIENT, lineEndsOf } from "./split-records.ts";

const MAX_RECORD_BYTES = 4_000_000;
/** What the layout is detected by, in UTF-16 units. */
const SAMPLE_LENGTH = 64 * 1024;

export interface GivenSource extends GivenLayout {
  readonly encoding?: string | undefined;
}

export class CsvSource implements Disposable {
  readonly encoding: string;
  readonly layout: Layout;
  /** The lines before the table. */
  readonly skippedText: string;
  /** Of the present pass, for progress; a little less than read where characters have several bytes. */
  bytesRead = 0;
  readonly #fd: number;
  readonly #lineEnds: string[];

  private constructor(fd: number, encoding: string, layout: Layout, sample: string) {
    this.#fd = fd;
    this.encoding = encoding;
    this.layout = layout;
    this.#lineEnds = lineEndsOf(withoutLines(sample, layout.skipLines));
    this.skippedText = sample.slice(0, sample.length - withoutLines(sample, layout.skipLines).length).trim();
  }

  /** @param fd The open file, which is closed with the source. */
  static async open(fd: number, given: GivenSource): Promise<CsvSource> {
    try {
      if (/^["\r\n]$/.test(given.delimiter ?? ",")) throw refusal("Invalid delimiter: quotes and line breaks cannot separate values.");
      const encoding = given.encoding?.trim().toLowerCase() ?? detectEncoding(fd);
      const sample = firstLines(decodedChunks(fd, encoding));
      return new CsvSource(fd, encoding, await detectLayout(sample, given), sample);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** The records of the table; the first one is the header, where the file has one. Fields may be more or fewer than those of the header. */
  async *records(): AsyncGenerator<Field[]> {
    // Loaded on first use: most sessions import nothing.
    const [{ parse, CsvError }, { Readable }] = [await import("csv-parse"), await import("node:stream")];
    const { delimiter, quote, escape, quotesEverything } = this.layout;
    const parser = parse({
      delimiter,
      quote,
      escape,
      ...LENIENT,
      record_delimiter: this.#lineEnds,
      max_record_size: MAX_RECORD_BYTES,
      cast: (text, { quoting }): unknown => ({ text, isQuoted: quoting && !quotesEverything }) satisfies Field,
    });
    const text = Readable.from(this.#text(), { objectMode: true });
    text.once("error", (error) => parser.destroy(error));
    try {
      for await (const record of text.pipe(parser) as AsyncIterable<Field[]>) yield record;
    } catch (error) {
      throw error instanceof CsvError ? malformed(clip(error.message, 300)) : error;
    } finally {
      text.destroy();
      parser.destroy();
    }
  }

  /** The text from the table on. */
  *#text(): Generator<string> {
    this.bytesRead = 0;
    let [skip, kept] = [this.layout.skipLines, ""];
    for (const chunk of decodedChunks(this.#fd, this.encoding)) {
      this.bytesRead += chunk.length;
      if (skip > 0) {
        // The lines before the table are in the sample, so they are not many.
        kept += chunk;
        if (kept.length < SAMPLE_LENGTH && chunk !== "") continue;
        const rest = withoutLines(kept, skip);
        [skip, kept] = [0, ""];
        yield rest;
      } else if (chunk !== "") yield chunk;
    }
    if (skip > 0) yield withoutLines(kept, skip);
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}

export const malformed = (reason: string, remedy = "Correct the file."): DbError =>
  new DbError(
    "sql",
    `The file is not well-formed CSV: ${reason}. Nothing was imported. Pass its delimiter or skip_lines if they were not found. ${remedy}`,
  );

/** Whether a record is an empty line. In a file of one column that is a row with NULL. */
export const isBlankLine = (record: readonly Field[], columns: number): boolean => columns !== 1 && isBlank(record);

/** The beginning of a text, up to the end of a line unless it is all. */
function firstLines(chunks: Iterable<string>): string {
  let text = "";
  for (const chunk of chunks) {
    text += chunk;
    if (text.length > SAMPLE_LENGTH)
      return text.slice(0, Math.max(text.lastIndexOf("\n", SAMPLE_LENGTH), text.lastIndexOf("\r", SAMPLE_LENGTH)) + 1);
  }
  return text;
}
