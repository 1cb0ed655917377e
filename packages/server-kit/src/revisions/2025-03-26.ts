// The step back to 2025-03-26: without structured output, resource links, titles and elicitation; the only revision with batches.
// https://modelcontextprotocol.io/specification/2025-06-18/changelog
import { isObject, type Json } from "../wire/json-rpc.ts";
import { each, inside, textOrEmpty, without, type Shape } from "./reshape.ts";
import type { Step } from "./revision.ts";

/** The members of `_meta` that MCP Apps define: that extension exists in every revision, and `_meta` of definitions does not. */
const APP_META: readonly string[] = ["ui", "ui/resourceUri"];

function onlyAppMeta(value: Json): Json {
  if (!("_meta" in value)) return value;
  const { _meta: meta, ...rest } = value;
  const kept = isObject(meta) ? Object.entries(meta).filter(([key]) => APP_META.includes(key)) : [];
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}

const plain = (value: Json): Json => onlyAppMeta(without("title")(value));
const olderAnnotations = inside("annotations", without("lastModified"));
const listed = (value: Json): Json => olderAnnotations(plain(value));

/** A resource link becomes text: its name, URI and description. */
const block: Shape = (value) => {
  if (value.type === "resource_link") {
    const name = typeof value.title === "string" ? value.title : value.name;
    const text = `${textOrEmpty(name)} — ${textOrEmpty(value.uri)}${typeof value.description === "string" ? `\n${value.description}` : ""}`;
    return olderAnnotations(
      value.annotations === undefined ? { type: "text", text } : { type: "text", text, annotations: value.annotations },
    );
  }
  return olderAnnotations(inside("resource", without("_meta"))(without("_meta")(value)));
};

/** The title of a tool moves to `annotations.title`. */
const tool: Shape = (value) => {
  const older = without("title", "_meta", "outputSchema")(value);
  if (typeof value.title !== "string") return older;
  return { ...older, annotations: { title: value.title, ...(value.annotations as Json | undefined) } };
};

export const step: Step = {
  id: "2025-03-26",
  facts: { batch: true, elicit: false },
  down: {
    tool,
    callResult: without("structuredContent"),
    block,
    resource: listed,
    template: listed,
    contents: onlyAppMeta,
    prompt: (prompt) => each("arguments", without("title"))(plain(prompt)),
    initialize: inside("serverInfo", without("title")),
    sample: each(
      "messages",
      inside("content", (content) => olderAnnotations(without("_meta")(content))),
    ),
  },
  up: { "completion/complete": without("context") },
};
