// The data of the tree view: the tree of the result, and the sizes that the server adds.
import { callTool, structuredOf, type Page, type ToolResult } from "@oarlock-tooling/views";

export interface TreeNode {
  readonly name: string;
  readonly type: string;
  readonly children?: readonly TreeNode[];
  /** Children are missing. */
  readonly truncated?: boolean;
  /** Bytes; of a directory, the sum of what is below. */
  readonly size?: number;
  /** The size is a part of the sum. */
  readonly isPart?: boolean;
}

/** The entries of a directory with their sizes. */
export interface SizedFolder {
  readonly entries: readonly TreeNode[];
  readonly omitted: number;
}

/** The entries of a directory, by its position below the top of the tree. Undefined where the host calls no tools. */
export type LoadSizes = ((position: string) => Promise<SizedFolder>) | undefined;

/** The tree in the text of the result: its first block is JSON, in every host. */
export function readTree({ content = [], structuredContent }: ToolResult): TreeNode[] {
  const structured = structuredContent?.["content"];
  return JSON.parse(typeof structured === "string" ? structured : (content[0]?.text ?? "[]")) as TreeNode[]; // written by directory_tree
}

/** Sizes by the tool for views, under the same patterns as the tree. */
export function sizeSource({ host, args, canCallTools }: Page): LoadSizes {
  if (!canCallTools) return undefined;
  const { path: top = ".", excludePatterns = [] } = args as { path?: string; excludePatterns?: string[] }; // the arguments of directory_tree
  return async (base) => {
    const path = base === "" ? top : `${top.replace(/\/+$/, "")}/${base}`;
    const result = await callTool(host, "view_folder_sizes", { path, base, excludePatterns });
    return structuredOf(result) as unknown as SizedFolder; // checked by the server against its output schema
  };
}
