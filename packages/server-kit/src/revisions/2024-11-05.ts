// One step back, to the first revision: without audio, annotations of tools, progress messages and the completions capability.
// https://modelcontextprotocol.io/specification/2025-03-26/changelog
import { isObject } from "../wire/json-rpc.ts";
import { each, inside, spoken, without, type Shape } from "./reshape.ts";
import type { Step } from "./revision.ts";

/** Audio travels as an embedded resource: the bytes and the media type stay. */
const block: Shape = (value) => {
  if (value.type !== "audio") return value;
  const older = { type: "resource", resource: { uri: "urn:mcp:audio", mimeType: value.mimeType, blob: value.data } };
  return value.annotations === undefined ? older : { ...older, annotations: value.annotations };
};

/** Sampling of this revision has no audio; a text names it instead. */
const withoutAudio: Shape = (message) =>
  isObject(message.content) && message.content.type === "audio"
    ? { ...message, content: { type: "text", text: `[audio, ${spoken(message.content.mimeType)}]` } }
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
