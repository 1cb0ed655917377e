// Badges: small pictures of facts that stand in manifests. A test writes them anew, so they cannot become false.
import { join } from "node:path";
import { REVISIONS } from "@oarlock/server-kit/protocol";
import { manifestOf } from "./repository.ts";

/** By the name of the file in docs/badges, of the repository at `at`. */
export function badges(at: string): [name: string, svg: string][] {
  const root = manifestOf(at);
  const kit = manifestOf(join(at, "packages/server-kit"));
  const dates = REVISIONS.toSorted();
  return [
    ["licence", badge("licence", String(root["license"]))],
    ["node", badge("node", kit.engines.node.replaceAll("^", "").replaceAll(" || ", ", ").replace(">=", "≥ "))],
    ["protocol", badge("MCP", `${dates.length} revisions, ${dates[0]} to ${dates.at(-1)}`)],
    ["dependencies", badge("dependencies of the kit", String(Object.keys(kit.dependencies ?? {}).length))],
  ];
}

const [HEIGHT, ADVANCE, PADDING] = [20, 6.2, 8];

function badge(label: string, value: string): string {
  const [left, right] = [label, value].map((text) => Math.round(text.length * ADVANCE) + 2 * PADDING) as [number, number]; // of two
  const text = (content: string, from: number, width: number): string =>
    `<text x="${from + width / 2}" y="14" textLength="${width - 2 * PADDING}">${content}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${label}: ${value}">
<rect width="${left + right}" height="${HEIGHT}" rx="3" fill="#0550ae"/>
<path d="M3 0h${left - 3}v${HEIGHT}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#444c56"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(label, 0, left)}${text(value, left, right)}</g>
</svg>
`;
}
