// The step back to 2025-06-18: without icons, elicitation by URL, tools in sampling and richer forms.
// https://modelcontextprotocol.io/specification/2025-11-25/changelog
import { ToolError } from "../protocol/errors.ts";
import { INTERNAL_ERROR, isObject, type Json } from "../wire/json-rpc.ts";
import { inside, without, type Shape } from "./reshape.ts";
import type { Step } from "./revision.ts";

const noIcons = without("icons");

/** A form field: titled choices become `enumNames`, and only booleans keep a default. */
const field: Shape = (schema) => {
  const titled = Array.isArray(schema.oneOf) ? schema.oneOf.filter(isObject) : undefined;
  const plain =
    titled === undefined
      ? schema
      : {
          ...without("oneOf")(schema),
          type: "string",
          enum: titled.map((choice) => choice.const),
          enumNames: titled.map((choice) => choice.title ?? choice.const),
        };
  return plain.type === "boolean" ? plain : without("default")(plain);
};

const form: Shape = (schema) => {
  const all = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  // A multiple choice has no equivalent: it is removed when it is optional and another field remains.
  const supported = all.filter(([, value]) => !(isObject(value) && value.type === "array"));
  if (all.length > 0 && (supported.length === 0 || all.some((entry) => !supported.includes(entry) && required.includes(entry[0])))) {
    throw new ToolError("This tool needs a client that supports multiple choice in forms (revision 2025-11-25).");
  }
  const older = supported.map(([name, value]) => [name, isObject(value) ? field(value) : value]);
  return { ...without("$schema")(schema), properties: Object.fromEntries(older) as Json };
};

/** A message with several blocks becomes several messages; tool blocks become text. */
function singleBlocks(params: Json): Json {
  if (!Array.isArray(params.messages)) return params;
  const messages = params.messages.filter(isObject).flatMap((message) => {
    const blocks = Array.isArray(message.content) ? message.content : [message.content];
    return blocks.filter(isObject).map((block) => {
      const content = block.type === "tool_use" || block.type === "tool_result" ? { type: "text", text: JSON.stringify(block) } : block;
      return { role: message.role, content };
    });
  });
  return { ...params, messages };
}

export const step: Step = {
  id: "2025-06-18",
  facts: { argumentErrors: "error", elicitUrl: false, sampleTools: false, primingEvent: false, coreTasks: false },
  // This revision does not have the code of a required elicitation by URL.
  failure: (failure) => (failure.kind === "url-needed" ? { ...failure, code: INTERNAL_ERROR } : failure),
  down: {
    tool: noIcons,
    resource: noIcons,
    template: noIcons,
    prompt: noIcons,
    block: noIcons,
    initialize: inside("serverInfo", without("icons", "description", "websiteUrl")),
    elicit: (params) => inside("requestedSchema", form)(without("mode")(params)),
    sample: (params) => without("tools", "toolChoice")(singleBlocks(params)),
  },
};
