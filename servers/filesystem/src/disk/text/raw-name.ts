// Names that are not UTF-8 as text for people: Node would show U+FFFD for every such byte, the same for all of them.
import { utf8SequenceLength } from "@oarlock/domain-kit";

/** The name with each byte that is not UTF-8 as `\xE9`, in upper case. Such a text opens nothing. */
export function escapeNonUtf8(name: Uint8Array): string {
  let text = "";
  for (let at = 0; at < name.length;) {
    const length = utf8SequenceLength(name, at);
    text += length === 0 ? `\\x${(name[at] ?? 0).toString(16).toUpperCase()}` : Buffer.from(name.subarray(at, at + length)).toString();
    at += length || 1;
  }
  return text;
}
