// The static check of a view: the document is complete, and every origin that it loads from is declared.
import { truncate } from "@oarlock/server-kit/extension";

/** Origins, such as `https://api.example.com` or `https://*.example.com`, that a view uses. */
export interface ViewCsp {
  /** For `fetch`, WebSocket and EventSource. */
  connectDomains?: string[];
  /** For scripts, styles, images, fonts and media. */
  resourceDomains?: string[];
  /** For nested frames. */
  frameDomains?: string[];
  /** For `<base href>`. */
  baseUriDomains?: string[];
}

type Use = keyof ViewCsp;

const USES: readonly Use[] = ["connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"];
const ORIGIN = /^(?:https?|wss?):\/\/(?:\*\.)?[a-z0-9.-]+(?::\d+)?$/i;

/** Throws a TypeError when an entry is not an origin. */
export function checkViewCsp(csp: ViewCsp, uri: string): void {
  for (const use of USES) {
    const wrong = (csp[use] ?? []).find((origin) => !ORIGIN.test(origin));
    if (wrong !== undefined)
      throw new TypeError(`View ${uri}: "${truncate(wrong)}" in csp.${use} is not an origin: expected one like https://api.example.com.`);
  }
}

const EXTERNAL = String.raw`\s*((?:https?:|wss?:)?//[^\s"'\x60<>)\\]+)`;
const QUOTED = String.raw`\s*["'\x60]${EXTERNAL}`;

/** Where documents, styles and scripts name an address that the browser loads. Links that a person opens (`<a href>`) are none. */
const LOADS: readonly { readonly use: Use; readonly pattern: RegExp }[] = [
  {
    use: "frameDomains",
    pattern: new RegExp(String.raw`<(?:iframe|frame|object|embed)\b[^>]*?\s(?:src|data)\s*=\s*["']?${EXTERNAL}`, "gi"),
  },
  { use: "baseUriDomains", pattern: new RegExp(String.raw`<base\b[^>]*?\shref\s*=\s*["']?${EXTERNAL}`, "gi") },
  {
    use: "resourceDomains",
    pattern: new RegExp(
      String.raw`<(?:script|img|image|source|video|audio|track|input|link|use)\b[^>]*?\s(?:src|srcset|href|xlink:href|poster)\s*=\s*["']?${EXTERNAL}`,
      "gi",
    ),
  },
  { use: "resourceDomains", pattern: new RegExp(String.raw`\burl\(\s*["']?${EXTERNAL}`, "gi") },
  { use: "resourceDomains", pattern: new RegExp(String.raw`@import${QUOTED}`, "gi") },
  { use: "resourceDomains", pattern: new RegExp(String.raw`\b(?:import|importScripts|Worker)\s*\(${QUOTED}`, "g") },
  { use: "resourceDomains", pattern: new RegExp(String.raw`\b(?:from|import)${QUOTED}`, "g") },
  { use: "connectDomains", pattern: new RegExp(String.raw`\b(?:fetch|WebSocket|EventSource|sendBeacon)\s*\(${QUOTED}`, "g") },
  { use: "connectDomains", pattern: new RegExp(String.raw`\.open\(\s*["'\x60]\w+["'\x60]\s*,${QUOTED}`, "g") },
];

/** Throws a TypeError when the document is incomplete, or loads from an origin that `csp` does not name. */
export function checkViewHtml(html: string, csp: ViewCsp = {}, uri = "view"): void {
  if (!/^\uFEFF?\s*<!doctype html/i.test(html))
    throw new TypeError(`View ${uri} is not a complete HTML document: expected <!doctype html> at its beginning.`);
  for (const { use, pattern } of LOADS) {
    for (const [, address = ""] of html.matchAll(pattern)) {
      const origin = originOf(address);
      if (!(csp[use] ?? []).some((declared) => covers(declared, origin)))
        throw new TypeError(
          `View ${uri} loads from ${truncate(origin)}, which is not declared. Add it to csp.${use}, or put the content inline.`,
        );
    }
  }
}

function originOf(address: string): string {
  const absolute = address.startsWith("//") ? `https:${address}` : address;
  return /^[a-z]+:\/\/[^/?#]*/i.exec(absolute)?.[0].toLowerCase() ?? absolute;
}

function covers(declared: string, origin: string): boolean {
  const [expected, actual] = [declared.toLowerCase(), origin];
  if (!expected.includes("://*.")) return expected === actual;
  const [scheme = "", suffix = ""] = expected.split("://*");
  return actual.startsWith(`${scheme}://`) && actual.endsWith(suffix);
}
