// Media types: by the first bytes of a file where they have a known signature, else by its name. A host hands `image/png` to a model as a
// PNG, so a known signature overrules the name.

/** The number of first bytes that are sniffed. */
export const HEAD_BYTES = 4096;

export interface Sniffed {
  /** No NUL, or a byte order mark that explains NULs. */
  readonly text: boolean;
  /** By a known signature. */
  readonly type: string | undefined;
}

/** Frequent extensions, which need no table, and those with another meaning in the public table (`.ts` is video there). */
const KNOWN = new Map(
  Object.entries({
    png: "image/png",
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    gif: "image/gif",
    webp: "image/webp",
    bmp: "image/bmp",
    svg: "image/svg+xml",
    mp3: "audio/mpeg",
    wav: "audio/wav",
    ogg: "audio/ogg",
    flac: "audio/flac",
    aif: "audio/aiff",
    aiff: "audio/aiff",
    txt: "text/plain",
    md: "text/markdown",
    json: "application/json",
    js: "text/javascript",
    mjs: "text/javascript",
    cjs: "text/javascript",
    jsx: "text/javascript",
    ts: "text/x-typescript",
    tsx: "text/x-typescript",
    mts: "text/x-typescript",
    cts: "text/x-typescript",
    py: "text/x-python",
    rs: "text/x-rust",
    go: "text/x-go",
    html: "text/html",
    css: "text/css",
    csv: "text/csv",
    xml: "text/xml",
    yaml: "text/yaml",
    yml: "text/yaml",
  }),
);

const UNKNOWN = "application/octet-stream";

/** The media type of a file by its name and, where they are given, its first bytes. */
export async function mediaType(name: string, head?: Uint8Array): Promise<string> {
  const sniffed = head && sniff(head);
  if (sniffed?.type !== undefined) return sniffed.type;
  const named = await byName(name);
  if (!sniffed || sniffed.text === readsAsText(named)) return named;
  if (sniffed.text) return named === UNKNOWN || /^(audio|video|font|image)\//.test(named) ? "text/plain" : named;
  return named.startsWith("text/") ? UNKNOWN : named;
}

/** Whether content of this type is text. */
export function readsAsText(type: string): boolean {
  return type.startsWith("text/") || /[/+](json|xml|javascript|yaml|toml|sql|x-sh)$/.test(type);
}

async function byName(name: string): Promise<string> {
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return UNKNOWN;
  const known = KNOWN.get(extension);
  if (known !== undefined) return known;
  // Loaded on first use: it takes 6 ms, and most sessions never need one of its 1,200 types.
  const { default: mime } = await import("mime");
  return mime.getType(extension) ?? UNKNOWN;
}

export function sniff(head: Uint8Array): Sniffed {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const type = magic(bytes);
  const marked = bytes.length >= 2 && (bytes.readUInt16BE(0) === 0xfffe || bytes.readUInt16BE(0) === 0xfeff);
  return { text: type === undefined && (marked || !bytes.includes(0)), type };
}

function magic(bytes: Buffer): string | undefined {
  const at = (text: string, from = 0) => bytes.length >= from + text.length && bytes.toString("latin1", from, from + text.length) === text;
  if (at("\x89PNG\r\n\x1a\n")) return "image/png";
  if (at("\xff\xd8\xff")) return "image/jpeg";
  if (at("GIF87a") || at("GIF89a")) return "image/gif";
  if (at("RIFF") && at("WEBP", 8)) return "image/webp";
  if (at("RIFF") && at("WAVE", 8)) return "audio/wav";
  // "BM" also begins ordinary words: the four reserved bytes are zero.
  if (at("BM") && at("\0\0\0\0", 6)) return "image/bmp";
  if (at("II*\0") || at("MM\0*")) return "image/tiff";
  if (at("\0\0\x01\0")) return "image/vnd.microsoft.icon";
  if (at("ftyp", 4)) return brand(bytes.toString("latin1", 8, 12));
  if (at("fLaC")) return "audio/flac";
  if (at("OggS")) return "audio/ogg";
  if (at("MThd")) return "audio/midi";
  if (at("FORM") && (at("AIFF", 8) || at("AIFC", 8))) return "audio/aiff";
  // A version number follows the letters.
  if (at("ID3") && (bytes[3] ?? 255) < 16) return "audio/mpeg";
  if (bytes.length > 3 && bytes[0] === 0xff) return frame(bytes[1] ?? 0);
  if (at("%PDF-")) return "application/pdf";
  return at("\x1a\x45\xdf\xa3") ? "video/webm" : undefined;
}

/** An MPEG audio frame (layer III) or AAC in ADTS; FF FE, a byte order mark, is neither. */
function frame(second: number): string | undefined {
  if ((second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08) return "audio/mpeg";
  return (second & 0xf6) === 0xf0 ? "audio/aac" : undefined;
}

function brand(name: string): string {
  if (name === "avif" || name === "avis") return "image/avif";
  if (["heic", "heix", "hevc", "heim", "heis"].includes(name)) return "image/heic";
  if (name === "mif1" || name === "msf1") return "image/heif";
  if (name.startsWith("M4A") || name.startsWith("M4B")) return "audio/mp4";
  return name.startsWith("qt") ? "video/quicktime" : "video/mp4";
}
