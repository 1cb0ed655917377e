// A ZIP archive whose entries are unpacked one by one, within bounds: a small file can hold gigabytes.
import { unzipSync, type UnzipFileInfo } from "fflate";
import { broken, DocumentError } from "../document-error.ts";
import { MAX_ENTRIES, MAX_ENTRY_BYTES, MAX_UNPACKED_BYTES } from "../limits.ts";

export class ZipArchive {
  readonly #bytes: Uint8Array;
  readonly #format: string;
  readonly #entries = new Map<string, UnzipFileInfo>();
  #unpacked = 0;

  /** `format`: for messages. */
  constructor(bytes: Uint8Array, format: string) {
    this.#bytes = bytes;
    this.#format = format;
    let count = 0;
    this.#walk((info) => {
      this.#entries.set(info.name, info);
      count += 1; // of names that occur twice, too
      if (count > MAX_ENTRIES)
        throw new DocumentError("too-large", `Document too large: expected at most ${MAX_ENTRIES} files in its archive.`);
      return false;
    });
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The bytes that an entry unpacks to, as the archive says. */
  sizeOf(name: string): number | undefined {
    return this.#entries.get(name)?.originalSize;
  }

  /** The bytes of an entry. Throws where it is missing or too large. */
  read(name: string): Uint8Array {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw broken(this.#format, `its archive has no ${name}`);
    this.#unpacked += entry.originalSize;
    if (entry.originalSize > MAX_ENTRY_BYTES || this.#unpacked > MAX_UNPACKED_BYTES)
      throw new DocumentError(
        "too-large",
        `Document too large: ${name} in it would unpack to ${entry.originalSize} bytes, expected at most ${MAX_ENTRY_BYTES} of one file and ${MAX_UNPACKED_BYTES} of all.`,
      );
    const { [name]: bytes } = this.#walk((info) => info.name === name);
    // The size in the archive bounds the memory. Where it is not true the end is missing, which the reader of the XML notices.
    if (bytes === undefined) throw broken(this.#format, `its archive has no ${name}`);
    return bytes;
  }

  #walk(filter: (info: UnzipFileInfo) => boolean): Record<string, Uint8Array> {
    try {
      return unzipSync(this.#bytes, { filter });
    } catch (error) {
      if (error instanceof DocumentError) throw error;
      throw broken(this.#format, "its archive cannot be unpacked");
    }
  }
}
