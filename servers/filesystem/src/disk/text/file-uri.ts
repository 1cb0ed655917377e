// file: URIs (RFC 8089), in one form only: file:///absolute/path, and for shares of Windows file://server/share, decoded exactly once. Anything ambiguous (a query, an encoded slash,
// `..`) is refused, so that two programs cannot disagree on the file.
import { clip } from "@oarlock/domain-kit";
import { isWindows } from "../../platform.ts";
import { DiskError } from "../errors.ts";

const MAX_LENGTH = 16_384;

export interface UriOptions {
  /** Accept one slash at the end, as clients write their roots. */
  readonly folder?: boolean;
  /** Default: whether this is Windows. */
  readonly windows?: boolean;
}

/** The absolute path that a file: URI names. */
export function pathOfUri(uri: string, { folder = false, windows = isWindows }: UriOptions = {}): string {
  if (uri.length > MAX_LENGTH) throw refused(uri, "it is too long");
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(uri) ?? [];
  if (scheme === undefined || rest === undefined) throw refused(uri, "it has no scheme");
  if (scheme.toLowerCase() !== "file") throw refused(uri, "its scheme is not file");
  const [, host, text] = /^\/\/([^/]*)(\/.*)$/s.exec(rest) ?? [];
  if (host === undefined || text === undefined) throw refused(uri, "it is not absolute");
  const isLocal = host === "" || host.toLowerCase() === "localhost";
  if (!isLocal && (!windows || !/^[a-z\d][\w.$-]*$/i.test(host) || text === "/")) throw refused(uri, "it names a host, user or port");
  const path = decodeOnce(uri, text);
  const end = path.endsWith("/") && (path === "/" || folder) ? path.length - 1 : path.length;
  for (const name of path.slice(1, end).split("/")) {
    if (name === "" && end > 0 && path !== "/") throw refused(uri, "it has an empty name or a slash at the end");
    if (name === "." || name === "..") throw refused(uri, "it has . or .. in it");
  }
  const plain = end === 0 ? "/" : path.slice(0, end);
  if (!windows) return plain;
  if (!isLocal) return `//${host}${plain}`.replaceAll("/", "\\");
  // `C:` without a slash is the working directory of the drive.
  return plain
    .replace(/^\/([a-z]:)$/i, "$1/")
    .replace(/^\/(?=[a-z]:)/i, "")
    .replaceAll("/", "\\");
}

function decodeOnce(uri: string, text: string): string {
  if (/[?#]/.test(text)) throw refused(uri, "it has a query or a fragment");
  // eslint-disable-next-line no-control-regex
  if (/[\\\u0000-\u001f\u007f]/.test(text)) throw refused(uri, "it has a backslash or control character");
  if (/%(?:2f|5c|00)/i.test(text)) throw refused(uri, "it has an encoded slash, backslash or NUL");
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused(uri, "it has a broken percent escape");
  }
}

function refused(uri: string, why: string): DiskError {
  return new DiskError("invalid", `Expected a URI such as file:///absolute/path, but ${why}: ${clip(uri)}`);
}

/** The URI of an absolute path; the inverse of pathOfUri. */
export function uriOfPath(path: string, windows = isWindows): string {
  const slashed = windows ? path.replaceAll("\\", "/") : path;
  // A share has its server in the place of the host.
  const start = windows && slashed.startsWith("//") ? "file:" : windows ? "file:///" : "file://";
  const encoded = encodeURIComponent(slashed.toWellFormed());
  return `${start}${encoded.replace(/%(?:2F|24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent)}`;
}
