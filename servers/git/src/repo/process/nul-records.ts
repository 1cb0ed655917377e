// Records that end with NUL, as git writes them with -z.
import { isUtf8 } from "node:buffer";

/** The records; a last one without its NUL counts too. */
export function splitRecords(output: Buffer): Buffer[] {
  const records: Buffer[] = [];
  let from = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, from)) {
    records.push(output.subarray(from, end));
    from = end + 1;
  }
  if (from < output.length) records.push(output.subarray(from));
  return records;
}

/** The records as text, by `decode` where they are not UTF-8. Output that is UTF-8 as a whole is decoded once. */
export function splitFields(output: Buffer, decode: (records: readonly Buffer[]) => string[]): string[] {
  if (!isUtf8(output)) return decode(splitRecords(output));
  const fields = output.toString("utf8").split("\0");
  if (fields.at(-1) === "") fields.pop();
  return fields;
}
