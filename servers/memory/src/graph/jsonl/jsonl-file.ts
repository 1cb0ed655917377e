// A JSONL file as a stream of lines with their numbers; harmless variants (CRLF, a byte order mark, blank lines, no newline at the
// end) are read as what they mean. A file that is one JSON value is read as the records in it.
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type BigIntStats } from "node:fs";
import { codeOf, GraphError } from "../errors.ts";
import { entityLine, readLine, readRecord, relationLine, unfuse, type Line } from "./records.ts";

const CHUNK = 1024 * 1024;
/** A longer line is no record of a memory. */
const LONGEST = 64 * 1024 * 1024;
/** A file that is one JSON value is read as a whole. */
const LARGEST_VALUE = 128 * 1024 * 1024;
const NEWLINE = 10;

export interface Numbered {
  readonly number: number;
  readonly read: Line;
  /** As it stands in the file. */
  readonly raw: Buffer;
}

/** What tells one state of a file from another. */
export const identityOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string => `${ino}:${size}:${mtimeNs}:${ctimeNs}`;

export interface Seen {
  readonly identity: string;
  readonly size: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly at: number;
}

/** Undefined: there is no such file. */
export function lookAt(path: string): Seen | undefined {
  try {
    return seenOf(statSync(path, { bigint: true }));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

const seenOf = (stat: BigIntStats): Seen => ({ identity: identityOf(stat), size: Number(stat.size), at: Number(stat.mtimeMs) });

const PLACES: Readonly<Record<Line["kind"], number>> = { damaged: 0, entity: 0, relation: 1, record: 2 };

export class JsonlFile {
  readonly #fd: number;
  readonly seen: Seen;
  /** Something about it is not as we would write it, though no record is lost by that. */
  isUnusual = false;
  /** Its last line has no end. */
  isOpenEnded = false;
  #place = 0;

  constructor(path: string) {
    // Where a pipe has taken the name, nobody waits for a writer.
    this.#fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(this.#fd, { bigint: true });
    if (!stat.isFile()) {
      closeSync(this.#fd);
      throw new GraphError("io", "The file beside the memory is no regular file: put another in its place, or remove it.");
    }
    this.seen = seenOf(stat);
  }

  /** Whether nobody has written to it since it was opened. */
  isUnchanged(): boolean {
    return seenOf(fstatSync(this.#fd, { bigint: true })).identity === this.seen.identity;
  }

  close(): void {
    closeSync(this.#fd);
  }

  *lines(): Generator<Numbered> {
    const whole = this.#asOneValue();
    if (whole !== undefined) return yield* whole;
    let number = 0;
    for (const raw of this.#rawLines()) {
      number++;
      let line = raw;
      if (number === 1 && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) {
        line = line.subarray(3);
        this.isUnusual = true;
      }
      if (line.at(-1) === 13) {
        line = line.subarray(0, -1);
        this.isUnusual = true;
      }
      const text = decode(line);
      if (text === undefined) yield { number, raw, read: { kind: "damaged", why: "it is not UTF-8, or too long" } };
      else if (text.trim() === "") this.isUnusual = true;
      else yield* this.#read(number, text, raw);
    }
  }

  *#read(number: number, text: string, raw: Buffer): Generator<Numbered> {
    const read = readLine(text);
    this.#judge(read, text);
    const parts = read.kind === "damaged" ? unfuse(text) : undefined;
    if (parts === undefined) return yield { number, raw, read };
    for (const part of parts) yield { number, raw: Buffer.alloc(0), read: part };
    yield { number, raw, read: { kind: "damaged", why: `it holds ${parts.length} records, which were taken` } };
  }

  /** Whether the line stands where and as we would write it: entities first, nothing between the words. */
  #judge(read: Line, text: string): void {
    if (read.kind === "damaged") return;
    const place = PLACES[read.kind];
    this.isUnusual ||= place < this.#place;
    this.#place = Math.max(place, this.#place);
    if (read.kind === "entity") this.isUnusual ||= entityLine(read.entity, read.extra) !== text;
    if (read.kind === "relation") this.isUnusual ||= relationLine(read.relation, read.extra) !== text;
  }

  /** A file that somebody made into a JSON array, or `{"entities": […], "relations": […]}`. */
  #asOneValue(): Numbered[] | undefined {
    const head = Buffer.alloc(4096);
    const text = head
      .subarray(0, readSync(this.#fd, head, 0, head.length, 0))
      .toString()
      .replace(/^\ufeff/, "")
      .trimStart();
    const [first = ""] = text.split("\n");
    const mayBe = text.startsWith("[") || (text.startsWith("{") && !/^\{\s*"type"/.test(first));
    if (!mayBe || this.seen.size > LARGEST_VALUE) return undefined;
    const all = Buffer.alloc(this.seen.size);
    const value = parsed(
      all
        .subarray(0, readSync(this.#fd, all, 0, all.length, 0))
        .toString()
        .replace(/^\ufeff/, ""),
    );
    const records = recordsIn(value);
    if (records === undefined) return undefined;
    this.isUnusual = true;
    return records.map((record, at) => {
      const line = JSON.stringify(record);
      return { number: at + 1, raw: Buffer.from(line), read: readRecord(record, line) };
    });
  }

  *#rawLines(): Generator<Buffer> {
    let rest: Buffer[] = [];
    let position = 0;
    let isTooLong = false;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const read = readSync(this.#fd, chunk, 0, CHUNK, position);
      if (read === 0) break;
      position += read;
      let from = 0;
      for (let end = chunk.subarray(0, read).indexOf(NEWLINE); end !== -1; end = chunk.subarray(0, read).indexOf(NEWLINE, from)) {
        rest.push(chunk.subarray(from, end));
        yield rest.length === 1 && rest[0] !== undefined ? rest[0] : Buffer.concat(rest);
        rest = [];
        isTooLong = false;
        from = end + 1;
      }
      rest.push(chunk.subarray(from, read));
      // Of a line without an end no more is held than what makes it a damaged one.
      isTooLong ||= rest.reduce((sum, { length }) => sum + length, 0) > 2 * LONGEST;
      if (isTooLong) throw new GraphError("damaged", "A line of the file is too long to be read: it is no JSONL file of a memory.");
    }
    const last = Buffer.concat(rest);
    if (last.length === 0) return;
    this.isUnusual = true;
    this.isOpenEnded = true;
    yield last;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(line: Buffer): string | undefined {
  if (line.length > LONGEST) return undefined;
  try {
    return utf8.decode(line);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function recordsIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null || "type" in value) return undefined;
  const { entities, relations } = value as { entities?: unknown; relations?: unknown }; // looked at below
  if (!Array.isArray(entities)) return undefined;
  const typed = (type: string, records: unknown[]): unknown[] =>
    records.map((record) => (typeof record === "object" && record !== null ? { type, ...record } : record));
  return [...typed("entity", entities), ...typed("relation", Array.isArray(relations) ? relations : [])];
}
