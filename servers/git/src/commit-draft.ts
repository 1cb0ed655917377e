// Drafts a commit message with the client's own model (sampling).
import { ToolError, type InteractiveContext } from "@oarlock/server-kit";
import { isObject } from "@oarlock/server-kit/protocol";
import type { Dependencies } from "./dependencies.ts";
import { readPatch, recentCommits, STAGED } from "./prompts/material.ts";
import type { Repository } from "./repo/repository.ts";

const MAX_TOKENS = 600;
const MAX_MESSAGE_LENGTH = 8000;
const SHOWN_COMMITS = 20;

/** Instructions for a model that is shown the staged changes. `history`: recent commits, a line each. */
export const draftInstructions = (history: string): string =>
  `Write a commit message for the staged changes below: a subject of at most 72 characters that states the change, then, where it is not obvious, the reason. Follow the style of the recent commits. Answer with the message only.\n\nRecent commits:\n${history.split("\n").slice(0, SHOWN_COMMITS).join("\n")}`;

/** A message for the staged changes; empty where nothing is staged. */
export async function draftCommitMessage(deps: Dependencies, repository: Repository, ctx: InteractiveContext): Promise<string> {
  const patch = await readPatch(deps, repository, STAGED, ctx.signal);
  if (patch === undefined) return "";
  const history = await recentCommits(deps, repository, { revision: "HEAD" }, ctx.signal);
  const { content } = await ctx.sample({
    messages: [{ role: "user", content: { type: "text", text: `${draftInstructions(history)}\n\n${patch}` } }],
    maxTokens: MAX_TOKENS,
  });
  const texts = [content].flat().flatMap((block) => (isObject(block) && typeof block.text === "string" ? [block.text] : []));
  const message = withoutCodeFence(texts.join("\n").trim());
  if (message === "" || message.length > MAX_MESSAGE_LENGTH || message.includes("\0"))
    throw new ToolError("Not committed: the client's model returned no usable commit message. Give one as message.");
  return message;
}

function withoutCodeFence(text: string): string {
  const [, inner] = /^```[^\n]*\n([^]*?)\n?```$/.exec(text) ?? [];
  return (inner ?? text).trim();
}
