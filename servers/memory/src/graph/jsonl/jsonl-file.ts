// Reads a JSONL file line by line. Harmless variants are accepted: CRLF, a byte order mark, UTF-16, blank lines, commas between records, a
// missing final newline, and a file that is one JSON value with the records in it.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { GraphError } from "../errors.ts";
import { toFileVersion, type FileVersion } from "./file-version.ts";
import { formatEntity, formatRelation, parseLine, parseRecord, splitFusedRecords, type ParsedLine } from "./records.ts";
import { encodingOf, toUtf8, type Utf16 } from "./text-encoding.ts";

const READ_BYTES = 1024 * 1024;
/** A longer line is damaged. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** A file that is one JSON value is read as a whole, up to this size. */
const MAX_JSON_BYTES = 128 * 1024 * 1024;
const JSON_HEAD_BYTES = 4096;
/** Show the encoding of the file. */
const ENCODING_BYTES = 4;
/** More are not kept aside: the file stays as it is. */
const MAX_DAMAGED_LINES = 100_000;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

export interface NumberedLine {
  /** The first line is 1. */
  readonly number: number;
  readonly parsed: ParsedLine;
  /** The bytes in the file; empty for a record that was split off its line. */
  readonly raw: Buffer;
}

/** The order in which the server writes records. */
const SECTIONS: Readonly<Record<ParsedLine["kind"], number>> = { damaged: 0, entity: 0, relation: 1, record: 2 };

export class JsonlFile implements Disposable {
  readonly version: FileVersion;
  /** After `lines`: the file is not formatted as the server writes it, though no record is lost by that. */
  isUnusual = false;
  /** After `lines`: the last line has no newline. */
  isOpenEnded = false;
  /** After `lines`: at least one line holds a record. */
  hasRecords = false;
  readonly #fd: number;
  readonly #encoding: Utf16 | undefined;
  #section = 0;

  /** @param file Its path, or the open file, which is closed with this one. */
  constructor(file: string | number) {
    // Not blocking: where a pipe has this name, opening it would wait for a writer.
    this.#fd = typeof file === "number" ? file : openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = fstatSync(this.#fd, { bigint: true });
      if (!stat.isFile()) throw new GraphError("io", "JSONL file is not a regular file. Put a regular file in its place, or remove it.");
      this.version = toFileVersion(stat);
      this.#encoding = encodingOf(this.#read(0, ENCODING_BYTES));
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }

  /** Whether no program has written the file since it was opened. */
  isUnchanged(): boolean {
    return toFileVersion(fstatSync(this.#fd, { bigint: true })).identity === this.version.identity;
  }

  /** Throws a GraphError where too many lines hold no record: it is the file of another program. */
  *lines(): Generator<NumberedLine> {
    let damaged = 0;
    for (const line of this.#allLines()) {
      if (line.parsed.kind === "damaged" && ++damaged > MAX_DAMAGED_LINES)
        throw new GraphError(
          "damaged",
          `JSONL file not readable: more than ${MAX_DAMAGED_LINES.toLocaleString("en")} lines hold no record. Check that it is the file of a memory.`,
        );
      this.hasRecords ||= line.parsed.kind !== "damaged";
      yield line;
    }
  }

  *#allLines(): Generator<NumberedLine> {
    const records = this.#readJsonValue();
    if (records !== undefined) return yield* records;
    let number = 0;
    for (const raw of this.#rawLines()) {
      number++;
      const line = this.#withoutMarks(raw, number === 1);
      const text = line.length > MAX_LINE_BYTES ? undefined : attempt(() => utf8.decode(line));
      if (text === undefined) yield { number, raw, parsed: { kind: "damaged", reason: "not UTF-8, or too long", mayBeIncomplete: true } };
      else if (text.trim() === "") this.isUnusual = true;
      else yield* this.#parse(number, text, raw);
    }
  }

  /** Removes a byte order mark and a carriage return. */
  #withoutMarks(raw: Buffer, isFirst: boolean): Buffer {
    const start = isFirst && raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0;
    const end = raw.at(-1) === CARRIAGE_RETURN ? raw.length - 1 : raw.length;
    this.isUnusual ||= start > 0 || end < raw.length;
    return raw.subarray(start, Math.max(start, end));
  }

  *#parse(number: number, text: string, raw: Buffer): Generator<NumberedLine> {
    const parsed = parseLine(text);
    this.#checkFormat(parsed, text);
    const records = parsed.kind === "damaged" ? splitFusedRecords(text) : undefined;
    if (records === undefined) return yield { number, raw, parsed };
    for (const record of records) yield { number, raw: Buffer.alloc(0), parsed: record };
    const reason = `it holds ${records.length} records, which were accepted`;
    yield { number, raw, parsed: { kind: "damaged", reason, mayBeIncomplete: false } };
  }

  /** Whether the server would write this line in the same way and in this place. */
  #checkFormat(parsed: ParsedLine, text: string): void {
    if (parsed.kind === "damaged") return;
    const section = SECTIONS[parsed.kind];
    this.isUnusual ||= section < this.#section;
    this.#section = Math.max(section, this.#section);
    if (parsed.kind === "entity") this.isUnusual ||= formatEntity(parsed.entity, parsed.extra) !== text;
    if (parsed.kind === "record") this.isUnusual ||= parsed.line !== text;
    if (parsed.kind === "relation") this.isUnusual ||= formatRelation(parsed.relation, parsed.extra) !== text;
  }

  /** The records of a file that is a JSON array or `{"entities": […], "relations": […]}`; undefined for any other file. */
  #readJsonValue(): NumberedLine[] | undefined {
    const head = this.#readText(JSON_HEAD_BYTES).trimStart();
    const [firstLine = ""] = head.split("\n");
    const mayBeValue = head.startsWith("[") || (head.startsWith("{") && !/^\{\s*"type"/.test(firstLine));
    if (!mayBeValue || this.version.size > MAX_JSON_BYTES) return undefined;
    const text = this.#readText(this.version.size);
    const records = recordsOf(attempt((): unknown => JSON.parse(text)));
    if (records === undefined) return undefined;
    this.isUnusual = true;
    return records.map((record, index) => {
      const line = attempt(() => JSON.stringify(record));
      const parsed: ParsedLine =
        line === undefined ? { kind: "damaged", reason: "nested too deeply", mayBeIncomplete: false } : parseRecord(record, line);
      return { number: index + 1, raw: Buffer.from(line ?? ""), parsed };
    });
  }

  /** The start of the file, without a byte order mark. */
  #readText(bytes: number): string {
    const start = this.#read(0, bytes);
    const text = this.#encoding === undefined ? start.toString() : new TextDecoder(this.#encoding).decode(start);
    return text.replace(/^\ufeff/, "");
  }

  #read(position: number, bytes: number): Buffer {
    const buffer = Buffer.allocUnsafe(bytes);
    return buffer.subarray(0, readSync(this.#fd, buffer, 0, bytes, position));
  }

  *#chunks(): Generator<Buffer> {
    for (let position = 0; ;) {
      const chunk = this.#read(position, READ_BYTES);
      if (chunk.length === 0) return;
      position += chunk.length;
      yield chunk;
    }
  }

  *#rawLines(): Generator<Buffer> {
    let unfinished: Buffer[] = [];
    let unfinishedBytes = 0;
    const chunks = this.#encoding === undefined ? this.#chunks() : toUtf8(this.#chunks(), this.#encoding);
    this.isUnusual ||= this.#encoding !== undefined;
    for (const chunk of chunks) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        const rest = chunk.subarray(start, end);
        yield unfinished.length === 0 ? rest : Buffer.concat([...unfinished, rest]);
        unfinished = [];
        unfinishedBytes = 0;
        start = end + 1;
      }
      unfinished.push(chunk.subarray(start));
      unfinishedBytes += chunk.length - start;
      // A line above the limit is reported as damaged; one far above it would use up the memory.
      if (unfinishedBytes > 2 * MAX_LINE_BYTES)
        throw new GraphError("damaged", "JSONL file not readable: a line is too long. Check that it is the file of a memory.");
    }
    const last = Buffer.concat(unfinished);
    if (last.length === 0) return;
    this.isUnusual = true;
    this.isOpenEnded = true;
    yield last;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined where it throws. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function recordsOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null || "type" in value) return undefined;
  const { entities, relations } = value as { entities?: unknown; relations?: unknown }; // tested below
  if (!Array.isArray(entities)) return undefined;
  const withType = (type: string, records: unknown[]): unknown[] =>
    records.map((record) => (typeof record === "object" && record !== null ? { type, ...record } : record));
  return [...withType("entity", entities), ...withType("relation", Array.isArray(relations) ? relations : [])];
}
