// Output in records that end with NUL, as git writes it with -z.
import { isUtf8 } from "node:buffer";
import { textOf } from "../text/file-names.ts";

/** The records; a last one without its NUL counts too. */
export function records(output: Buffer): Buffer[] {
  const found: Buffer[] = [];
  let from = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, from)) {
    found.push(output.subarray(from, end));
    from = end + 1;
  }
  if (from < output.length) found.push(output.subarray(from));
  return found;
}

/** The records as text. Mostly all of them are UTF-8, and are decoded at once. */
export function fieldsOf(output: Buffer): string[] {
  if (!isUtf8(output)) return records(output).map(textOf);
  const fields = output.toString("utf8").split("\0");
  if (fields.at(-1) === "") fields.pop();
  return fields;
}
