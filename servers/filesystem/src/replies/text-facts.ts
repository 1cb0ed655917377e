// What a text says about a file beside its content, in one short line: hosts may drop the structured result.
import { counted } from "@oarlock/domain-kit";
import type { Damage } from "../disk/text/damage.ts";
import type { LineEnding } from "../disk/text/lines.ts";

export interface TextFacts {
  /** Of a link: that it is one, and to where. */
  readonly link?: string | undefined;
  /** The kind of a file without text. */
  readonly kind?: string | undefined;
  readonly encoding?: string | undefined;
  readonly bom?: boolean | undefined;
  readonly lineEnding?: LineEnding | undefined;
  readonly lines?: number | undefined;
  readonly etag?: string | undefined;
  readonly damage?: Damage | undefined;
  /** Of a part that was read by bytes: its first byte, and the one after its last. */
  readonly bytes?: readonly [from: number, to: number] | undefined;
  readonly size?: number | undefined;
}

const LINE_ENDINGS: Readonly<Record<LineEnding, string>> = { lf: "LF", crlf: "CRLF", mixed: "mixed line endings", none: "" };

/** Such as `[utf-8, LF, 12 lines, etag c-…]`; empty where nothing is known. */
export function factsLine({
  link = "",
  kind = "",
  encoding = "",
  bom,
  lineEnding = "none",
  lines,
  etag,
  damage,
  bytes,
  size = 0,
}: TextFacts): string {
  const parts = [
    link,
    kind,
    encoding + (bom === true ? " with byte order mark" : ""),
    damage === undefined ? "" : `not valid${placeOf(damage)}`,
    LINE_ENDINGS[lineEnding],
    lines === undefined ? "" : counted(lines, "line"),
    bytes === undefined ? "" : rangeOf(bytes, size),
    etag === undefined ? "" : `etag ${etag}`,
  ];
  const line = parts.filter((part) => part !== "").join(", ");
  return line === "" ? "" : `[${line}]`;
}

/** Which bytes they are, and how to go on behind them. */
function rangeOf([from, to]: readonly [from: number, to: number], size: number): string {
  const range = to > from ? `bytes ${from}-${to - 1} of ${size}` : `no bytes of ${size}`;
  return to < size ? `${range} (go on with byteOffset ${to})` : range;
}

/** The same where a reader would not expect it: anything but valid UTF-8 with line feeds. An etag is always given. */
export function unusualFacts({ encoding, bom, lineEnding, damage, etag }: TextFacts): string {
  const isUsual = /^\[utf-8(?:, LF)?\]$/.test(factsLine({ encoding, bom, lineEnding, damage }));
  return isUsual ? factsLine({ etag }) : factsLine({ encoding, bom, lineEnding, damage, etag });
}

function placeOf({ line, byte }: Damage): string {
  if (line === undefined) return " in this part";
  return byte === undefined ? ` at line ${line}` : ` at byte ${byte}, line ${line}`;
}
