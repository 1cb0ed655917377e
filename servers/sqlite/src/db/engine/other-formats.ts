// What a file is that is not a database of SQLite, by its first bytes, and what to do with it.
import { closeSync, openSync, readSync } from "node:fs";

const SAMPLE_BYTES = 512;

const FORMATS: readonly (readonly [what: string, next: string, is: (bytes: Buffer, text: string) => boolean])[] = [
  ["compressed by gzip", "Unpack it first (gunzip).", (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b],
  ["compressed by zstd", "Unpack it first (zstd -d).", (bytes) => bytes.readUInt32LE(0) === 0xfd2fb528],
  [
    "a spreadsheet or another zip archive",
    "Unpack it, or save the sheet as CSV and use import_csv.",
    (bytes) => bytes.toString("latin1", 0, 4) === "PK\x03\x04",
  ],
  ["an old Office document", "Save the sheet as CSV and use import_csv.", (bytes) => bytes.readUInt32BE(0) === 0xd0cf11e0],
  ["a pointer of Git LFS", "Fetch the file itself with git lfs pull.", (_, text) => text.startsWith("version https://git-lfs.github.com/")],
  [
    "a database of Microsoft Access",
    "Export its tables as CSV and use import_csv.",
    (_, text) => /^.{4}Standard (?:Jet|ACE) DB/s.test(text),
  ],
  ["a database of DuckDB", "Export its tables as CSV and use import_csv.", (_, text) => text.slice(8, 12) === "DUCK"],
  ["a PDF", "Name another file.", (_, text) => text.startsWith("%PDF-")],
  [
    "a dump of SQL statements",
    "Load it into a new database first: sqlite3 new.db < FILE.",
    (_, text) => /^\s*(?:--|\/\*|PRAGMA|BEGIN|CREATE|INSERT|SET|DROP)\b/i.test(text) || /^\s*(?:--|\/\*)/.test(text),
  ],
  [
    "a text",
    "If it is CSV, create a database and use import_csv.",
    (bytes) => bytes.every((byte) => byte >= 0x20 || [0x09, 0x0a, 0x0d].includes(byte)),
  ],
];

/** A sentence on the file; one that is like no known format may be encrypted. */
export function otherFormat(file: string): string {
  const unknown = "The file is not a SQLite database, or it is encrypted. Name another file, or decrypt it with the program that made it.";
  const bytes = firstBytes(file);
  const found = bytes === undefined || bytes.length < 16 ? undefined : FORMATS.find(([, , is]) => is(bytes, bytes.toString("latin1")));
  return found === undefined ? unknown : `The file is not a SQLite database: it is ${found[0]}. ${found[1]}`;
}

function firstBytes(file: string): Buffer | undefined {
  try {
    const descriptor = openSync(file, "r");
    try {
      const bytes = Buffer.alloc(SAMPLE_BYTES);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, SAMPLE_BYTES, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
