// Adds to the reply of a tool what git warned of meanwhile, and what the data cannot tell; an error over rights gets words.
import type { ToolDefinition } from "@oarlock/server-kit";
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { explainRights } from "../repo/errors.ts";
import { collectNotices } from "../repo/messages/notices.ts";

/** Behind more text than this, notices stand below the first line: hosts that cut a reply keep its beginning. */
const SHORT_TEXT_LENGTH = 4000;

export const noticedTool = (tool: ToolDefinition): ToolDefinition => ({
  ...tool,
  async call(args, ctx) {
    const { value: result, collected } = await collectNotices(() => tool.call(args, ctx)).catch((error: unknown) => {
      throw explainRights(error);
    });
    const [first, ...others] = result.content;
    if (collected.length === 0 || result.isError === true || first?.type !== "text") return result;
    const { structuredContent } = result;
    return {
      ...result,
      content: [{ ...first, text: withNotices(first.text, collected) }, ...others],
      ...(isObject(structuredContent) && { structuredContent: withWarnings(structuredContent, collected) }),
    };
  },
});

function withWarnings(structured: Json, notices: readonly string[]): Json {
  const { warnings } = structured;
  return { ...structured, warnings: [...(Array.isArray(warnings) ? warnings : []), ...notices] };
}

function withNotices(text: string, notices: readonly string[]): string {
  const added = notices.join("\n");
  const end = text.length > SHORT_TEXT_LENGTH ? text.indexOf("\n") : -1;
  if (end !== -1) return `${text.slice(0, end)}\n${added}${text.slice(end)}`;
  return text === "" ? added : `${text}${text.endsWith("\n") ? "" : "\n"}${added}`;
}
