// The step back to 2024-11-05, the first revision: without audio, annotations of tools, progress messages and the completions capability.
// https://modelcontextprotocol.io/specification/2025-03-26/changelog
import { isObject } from "../wire/json-rpc.ts";
import { each, inside, textOrEmpty, without, type Shape } from "./reshape.ts";
import type { Step } from "./revision.ts";

/** Audio becomes an embedded resource with the same bytes and media type. */
const block: Shape = (value) => {
  if (value.type !== "audio") return value;
  const older = { type: "resource", resource: { uri: "urn:mcp:audio", mimeType: value.mimeType, blob: value.data } };
  return value.annotations === undefined ? older : { ...older, annotations: value.annotations };
};

/** Sampling has no audio in this revision: a text with the media type replaces it. */
const withoutAudio: Shape = (message) =>
  isObject(message.content) && message.content.type === "audio"
    ? { ...message, content: { type: "text", text: `[audio, ${textOrEmpty(message.content.mimeType)}]` } }
    : message;

export const step: Step = {
  id: "2024-11-05",
  facts: { batch: false },
  down: {
    tool: without("annotations"),
    block,
    initialize: inside("capabilities", without("completions")),
    progress: without("message"),
    sample: each("messages", withoutAudio),
  },
};
