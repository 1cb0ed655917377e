// The data of the tree view: the tree of the result, and the sizes that the server adds.
import { callTool, structuredOf, type Page, type ToolResult } from "@oarlock/extensions/page";

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

/** Of directory_tree. */
interface TreeArguments {
  path?: string;
  excludePatterns?: string[];
  respectGitignore?: boolean;
}

/** The tree in the text of the result: its first block is JSON, in every host. */
export function readTree({ content = [], structuredContent }: ToolResult): TreeNode[] {
  const structured = structuredContent?.["content"];
  return JSON.parse(typeof structured === "string" ? structured : (content[0]?.text ?? "[]")) as TreeNode[]; // written by directory_tree
}

/** Whether the tree has all entries of its top: each other folder is marked where it has not. */
export function isTopComplete({ structuredContent = {} }: ToolResult, nodes: readonly TreeNode[]): boolean {
  const { truncated, omitted } = structuredContent as { truncated?: boolean; omitted?: { directories: number } }; // of directory_tree
  return truncated !== true || (omitted?.directories ?? 0) <= countTruncated(nodes);
}

const countTruncated = (nodes: readonly TreeNode[]): number =>
  nodes.reduce((sum, { truncated, children = [] }) => sum + (truncated === true ? 1 : 0) + countTruncated(children), 0);

/** Sizes by the tool for views, of the entries that the tree leaves in. */
export function sizeSource({ host, args, canCallTools }: Page): LoadSizes {
  if (!canCallTools) return undefined;
  const { path: top = ".", excludePatterns = [], respectGitignore = false } = args as TreeArguments;
  return async (base) => {
    const path = base === "" ? top : `${top.replace(/\/+$/, "")}/${base}`;
    const result = await callTool(host, "view_folder_sizes", { path, base, excludePatterns, respectGitignore });
    return structuredOf(result) as unknown as SizedFolder; // checked by the server against its output schema
  };
}
