/** Sampling requests of the fixtures, and the text of their responses. */
import type { SampleRequest, SampleResult } from "@oarlock/server-kit";

/** One text that the user says, with a bound on the answer. */
export const userSays = (text: string, maxTokens: number): SampleRequest => ({
  messages: [{ role: "user", content: { type: "text", text } }],
  maxTokens,
});

/** The text of an answer; blocks of other kinds stand as JSON. */
export const sampledText = ({ content }: SampleResult): string =>
  [content]
    .flat()
    .map((block) => (typeof block.text === "string" ? block.text : JSON.stringify(block)))
    .join("\n");
