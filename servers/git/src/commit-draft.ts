// A commit message by the client's own model, for callers who have none: a button of a host, a script.
import { ToolError, type InteractiveContext } from "@oarlock/server-kit";
import { isObject } from "@oarlock/server-kit/protocol";
import type { Parts } from "./dependencies.ts";
import { history, patchOf, STAGED } from "./prompts/material.ts";
import type { Repository } from "./repo/repository.ts";

const MOST_TOKENS = 600;
/** Longer than any message that is read. */
const MOST_LENGTH = 8000;

/** What a model is told to do with the staged changes, which stand below. */
export const wording = (recent: string): string =>
  `Write a commit message for the staged changes below: a subject of at most 72 characters that says what the commit does, then, where it is not plain, why. Follow the habits of the recent commits. Give the message only.\n\nRecent commits:\n${recent.split("\n").slice(0, 20).join("\n")}`;

/** The message for what is staged; empty where nothing is. */
export async function draft(parts: Parts, repository: Repository, ctx: InteractiveContext): Promise<string> {
  const staged = await patchOf(parts, repository, STAGED, ctx);
  if (staged === undefined) return "";
  const recent = await history(parts, repository, { revision: "HEAD" }, ctx);
  const { content } = await ctx.sample({
    messages: [{ role: "user", content: { type: "text", text: `${wording(recent)}\n\n${staged}` } }],
    maxTokens: MOST_TOKENS,
  });
  const said = [content].flat().flatMap((block) => (isObject(block) && typeof block.text === "string" ? [block.text] : []));
  const message = unfenced(said.join("\n").trim());
  if (message === "" || message.length > MOST_LENGTH || message.includes("\0"))
    throw new ToolError("Not done: the client's model gave no commit message. Give one as message.");
  return message;
}

/** Models like to put what they give into a block of code. */
function unfenced(text: string): string {
  const [, inner] = /^```[^\n]*\n([^]*?)\n?```$/.exec(text) ?? [];
  return (inner ?? text).trim();
}
