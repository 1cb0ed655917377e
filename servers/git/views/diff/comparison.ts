// What a result compares, by the tool and its arguments.
import { textOf, type Page, type ToolResult } from "@oarlock/extensions/page";
import type { Comparison } from "../commit/patches.ts";

export function comparisonOf(result: ToolResult, { args, host }: Page): Comparison {
  const { repo_path, context_lines, paths, target, base, merge_base, revision } = args;
  const shared = Object.fromEntries(Object.entries({ repo_path, context_lines, paths }).filter(([, value]) => value !== undefined));
  const { hash } = result.structuredContent ?? {};
  if (typeof hash === "string") return { ...shared, kind: "commit", target: hash };
  if (revision !== undefined) return { ...shared, kind: "commit", target: revision };
  if (target !== undefined)
    return { ...shared, kind: "revisions", target, ...(base !== undefined && { base }), ...(merge_base !== undefined && { merge_base }) };
  const { toolInfo } = host.context as { toolInfo?: { tool?: { name?: string } } }; // as MCP Apps describe it
  const isStaged = toolInfo?.tool?.name === "git_diff_staged" || textOf(result).startsWith("Staged changes:");
  return { ...shared, kind: isStaged ? "staged" : "unstaged" };
}
