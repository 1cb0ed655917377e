// Cuts a text to the size that one reply may have.
import { jsonStringBytes, truncateToBytes } from "@oarlock/domain-kit";

const NOTICE = "\n[truncated: there is more]\n";
/** The notice with its two newlines escaped, and the quotes around the text. */
const NOTICE_BYTES = NOTICE.length + 4;

/** The text, or its beginning with a notice. `maxBytes` counts the text as a JSON string. */
export function truncateWithNotice(text: string, maxBytes: number): string {
  return jsonStringBytes(text) <= maxBytes ? text : truncateToBytes(text, maxBytes - NOTICE_BYTES) + NOTICE;
}
