// The `_meta` keys that authors may use: well-formed, and not reserved by the specification.
// https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
import type { Meta } from "../../protocol/types.ts";

const LABEL = "[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
const KEY = new RegExp(`^(?:(${LABEL}(?:\\.${LABEL})*)/)?([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`);
const RESERVED = ["modelcontextprotocol", "mcp"];

/** Returns the value. Throws a TypeError, naming its owner, on an invalid or reserved key. */
export function checkedMeta(meta: Meta, owner: string): Meta {
  for (const key of Object.keys(meta)) {
    const [whole, prefix] = KEY.exec(key) ?? [];
    if (whole === undefined || key === "")
      throw new TypeError(`${owner}: "${key.slice(0, 80)}" is not a valid key of _meta: write it like com.example/name`);
    const labels = prefix?.toLowerCase().split(".") ?? [];
    // The older rule and the newer one together, as every revision is served.
    if (labels.some((label, at) => RESERVED.includes(label) && (at === 1 || at < labels.length - 1))) {
      throw new TypeError(`${owner}: "${key.slice(0, 80)}" in _meta is kept for the specification`);
    }
  }
  return meta;
}
