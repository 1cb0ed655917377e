// Rows of a query into a new file.
import { closeSync, constants, fsyncSync, openSync, writeSync } from "node:fs";
import type { ExportAsked, ExportTold } from "../protocol/requests.ts";
import { boundTo } from "../sql/parameters.ts";
import type { Engine } from "../engine/engine.ts";
import { patient } from "../engine/lock-retry.ts";
import { keysOf } from "../engine/row-encoder.ts";

type Value = string | number | bigint | null | Buffer;

/** Texts are written together when they have so many characters. */
const TOGETHER = 64 * 1024;

export function exportRows(
  engine: Engine,
  { sql, params, format, file }: ExportAsked,
  progress: (done: number, total: number) => void,
): ExportTold {
  const vetted = engine.vetted(sql, "read");
  const values = boundTo(vetted.statement, params);
  const names = vetted.columns.map(({ name }) => name);
  const keys = keysOf(vetted.columns);
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0), 0o644);
  let [text, rows, bytes] = [format === "csv" ? csvLine(names.map(csvText)) : format === "json" ? "[" : "", 0, 0];
  let odd = false;
  const flush = (): void => {
    const buffer = Buffer.from(text);
    for (let at = 0; at < buffer.length;) at += writeSync(descriptor, buffer, at);
    bytes += buffer.length;
    odd ||= text.includes("\uFFFD");
    text = "";
  };
  try {
    patient(() => {
      for (const row of vetted.prepared
        .raw(true)
        .safeIntegers(true)
        .iterate(...values) as Iterable<Value[]>) {
        if (format === "csv") text += csvLine(row.map(csvValue));
        else
          text += `${format === "json" && rows > 0 ? ",\n" : ""}{${row.map((value, index) => `${keys[index]}${JSON.stringify(jsonValue(value))}`).join(",")}}${format === "jsonl" ? "\n" : ""}`;
        rows += 1;
        if (text.length > TOGETHER) flush();
        if (rows % 10_000 === 0) progress(rows, 0);
      }
    });
    if (format === "json") text += "]\n";
    flush();
    fsyncSync(descriptor);
    return { rows, bytes, odd };
  } finally {
    vetted.prepared.safeIntegers(vetted.exact === true);
    closeSync(descriptor);
  }
}

const csvText = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A line of nothing would be skipped by whoever reads it, so a NULL that stands alone is two quotes too. */
const csvLine = (texts: readonly string[]): string => `${texts.join(",") || '""'}\r\n`;

/** NULL is nothing, an empty text is two quotes, bytes are hexadecimal; no bytes are an empty text. */
const csvValue = (value: Value): string =>
  value === null ? "" : csvText(Buffer.isBuffer(value) ? value.toString("hex") : String(value)) || '""';

function jsonValue(value: Value): unknown {
  if (Buffer.isBuffer(value)) return { bytes: value.length, base64: value.toString("base64") };
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}
