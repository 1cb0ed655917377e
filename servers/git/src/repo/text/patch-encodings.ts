// The bytes that a patch may stand for. Replies show text that is not UTF-8 as Latin-1, a letter for each byte, and hosts may drop the carriage
// returns of lines: what is shown must still be possible to stage.

/** One of the forms in which the lines of a hunk may be meant. */
type Encode = (hunks: string) => Buffer | undefined;

const isLatin1 = (text: string): boolean => /^[\u0000-\u00ff]*$/.test(text); // oxlint-disable-line no-control-regex
const withReturns = (hunks: string): string => hunks.replaceAll(/^([ +-].*[^\r\n]|[ +-])$/gm, "$1\r");

const ENCODINGS: readonly Encode[] = [
  (hunks) => Buffer.from(hunks, "utf8"),
  (hunks) => (isLatin1(hunks) ? Buffer.from(hunks, "latin1") : undefined),
  (hunks) => Buffer.from(withReturns(hunks), "utf8"),
  (hunks) => (isLatin1(hunks) ? Buffer.from(withReturns(hunks), "latin1") : undefined),
];

/** The patches of a patch, one for each file. */
export const filePatches = (patch: string): string[] => patch.split(/^(?=diff --git )/m).filter((part) => part !== "");

/** All that the patch of one file may stand for, the text as it is first. Its headers may be of another encoding than its lines. */
export function encodingsOf(patch: string): Buffer[] {
  const start = patch.search(/^@@ /m);
  const [headers, hunks] = start === -1 ? [patch, ""] : [patch.slice(0, start), patch.slice(start)];
  const forms: Buffer[] = [];
  for (const encode of ENCODINGS) {
    const bytes = encode(hunks);
    const written = [Buffer.from(headers, "utf8"), ...(isLatin1(headers) ? [Buffer.from(headers, "latin1")] : [])];
    for (const header of bytes === undefined ? [] : written) {
      const form = Buffer.concat([header, bytes ?? Buffer.alloc(0)]);
      if (!forms.some((known) => known.equals(form))) forms.push(form);
    }
  }
  return forms;
}
