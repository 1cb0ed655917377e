// The request headers that matter, read once, and what their values mean: parsed, never searched.
// https://www.rfc-editor.org/rfc/rfc9110#section-5

export class Fields {
  host: string | undefined;
  origin: string | undefined;
  authorization: string | undefined;
  contentType: string | undefined;
  contentEncoding: string | undefined;
  contentLength: string | undefined;
  accept: string | undefined;
  upgrade: string | undefined;
  session: string | undefined;
  version: string | undefined;
  lastEventId: string | undefined;
  wantedHeaders: string | undefined;
  rpcMethod: string | undefined;
  rpcName: string | undefined;
  /** `Mcp-Param-…`, by the lower-cased rest of the name. */
  params: Map<string, string> | undefined;
  /** A header that may stand once and stood twice. */
  twice: string | undefined;
  /** How many there were. */
  count = 0;
}

type Member = Exclude<keyof Fields, "twice" | "count" | "accept" | "params">;

/** Those that may stand once only. */
const ONCE: ReadonlyMap<string, Member> = new Map<string, Member>([
  ["host", "host"],
  ["origin", "origin"],
  ["authorization", "authorization"],
  ["content-type", "contentType"],
  ["content-encoding", "contentEncoding"],
  ["content-length", "contentLength"],
  ["upgrade", "upgrade"],
  ["mcp-session-id", "session"],
  ["mcp-protocol-version", "version"],
  ["last-event-id", "lastEventId"],
  ["access-control-request-headers", "wantedHeaders"],
  ["mcp-method", "rpcMethod"],
  ["mcp-name", "rpcName"],
]);

/** Reads names and values in turn, as they came. */
export function readFields(raw: readonly string[]): Fields {
  const fields = new Fields();
  fields.count = raw.length / 2;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    const value = raw[at + 1] ?? "";
    const member = ONCE.get(name);
    if (member !== undefined) {
      const before = fields[member];
      if (before !== undefined) fields.twice = name;
      fields[member] = before === undefined ? value : `${before}, ${value}`;
    } else if (name.startsWith("mcp-param-")) {
      const params = (fields.params ??= new Map());
      if (params.has(name.slice(10))) fields.twice = name;
      params.set(name.slice(10), value);
    } else if (name === "accept") {
      fields.accept = fields.accept === undefined ? value : `${fields.accept}, ${value}`;
    }
  }
  return fields;
}

/** JSON in UTF-8, whatever the case and the blanks. */
export const isJson = remembering((value) => {
  if (!/^[\t\x20-\x7e]*$/.test(value)) return false;
  const [type = "", ...parameters] = value.split(";").map((part) => part.trim().toLowerCase());
  return (
    type === "application/json" &&
    parameters.every((one) => one === "" || (PARAMETER.test(one) && (!one.startsWith("charset=") || UTF8.test(one))))
  );
});

const PARAMETER = /^[!#$%&'*+.^_`|~0-9a-z-]+=(?:[!#$%&'*+.^_`|~0-9a-z-]+|"[^"\\]*")$/;
const UTF8 = /^charset=(?:utf-?8|"utf-?8")$/;

export const acceptsJson = remembering((value) => accepts(value, "application/json"));
export const acceptsEvents = remembering((value) => accepts(value, "text/event-stream"));

/** The most specific range that fits decides; without a weight above 0 the type is not wanted. */
function accepts(value: string, type: string): boolean {
  const ranges = [type, `${type.split("/")[0]}/*`, "*/*"];
  let best = ranges.length;
  let wanted = false;
  for (const part of value.split(",")) {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const rank = ranges.indexOf(range);
    if (rank === -1 || rank > best) continue;
    const weight = parameters.find((one) => one.startsWith("q="))?.slice(2);
    best = rank;
    wanted = weight === undefined || Number(weight) > 0;
  }
  return wanted;
}

/** Clients send the same few values again and again. What was never sent is not acceptable. */
function remembering(judge: (value: string) => boolean): (value: string | undefined) => boolean {
  const known = new Map<string, boolean>();
  return (value) => {
    if (value === undefined) return false;
    const before = known.get(value);
    if (before !== undefined) return before;
    const judged = judge(value);
    if (known.size < 64 && value.length < 256) known.set(value, judged);
    return judged;
  };
}
