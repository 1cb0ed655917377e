// Legacy encodings such as shift_jis, gbk or koi8-r, by iconv-lite, which is loaded when a caller first names one of them.
import type * as Iconv from "iconv-lite";
import { clip, nearestNames } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";

/** The name of an encoding that iconv-lite has loaded and that keeps ASCII, so that lines can be found in its bytes. */
export type LegacyEncoding = string & { readonly isLegacy: true };

/** Named in errors; iconv-lite knows many more. */
const COMMON = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "latin1",
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "iso-8859-2",
  "iso-8859-15",
  "koi8-r",
  "macintosh",
  "cp437",
  "cp850",
  "shift_jis",
  "euc-jp",
  "gbk",
  "gb18030",
  "big5",
  "euc-kr",
];
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join("");

let iconv: typeof Iconv.default | undefined;

/** Throws for a name that is unknown, or that of an encoding without ASCII. */
export async function loadLegacyEncoding(name: string): Promise<LegacyEncoding> {
  iconv ??= (await import("iconv-lite")).default;
  if (name.length > 40 || !iconv.encodingExists(name) || iconv.encode(ASCII, name).toString("latin1") !== ASCII) {
    const near = nearestNames(name, COMMON);
    const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `Some that are: ${COMMON.join(", ")}.`;
    throw new DiskError("invalid", `Encoding ${clip(name, 40)} is not supported here. ${hint}`);
  }
  return name as LegacyEncoding; // checked above
}

const loaded = (): typeof Iconv.default => {
  if (iconv === undefined) throw new Error("A legacy encoding is used before it is loaded");
  return iconv;
};

export const decodeLegacy = (bytes: Buffer, encoding: LegacyEncoding): string => loaded().decode(bytes, encoding, { stripBOM: false });

/** Characters that the encoding does not have come out as others: the caller compares. */
export const encodeLegacy = (text: string, encoding: LegacyEncoding): Buffer => loaded().encode(text, encoding, { addBOM: false });
