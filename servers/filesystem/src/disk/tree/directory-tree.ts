// The directory tree, in the JSON of the reference server (name, type, children on directories only). It is built level by level, so a tree
// that is cut still has all of its upper levels. A directory whose children are not all in the tree is marked.
import { escapeControlsInJson, jsonStringBytes } from "@oarlock/domain-kit";
import type { Sandbox } from "../access/sandbox.ts";
import { typeOf, type EntryType, type FolderEntry } from "./directory-entries.ts";
import { IgnoreRules } from "../search/gitignore/ignore-rules.ts";
import { compileTreeExcludes } from "../globs/glob.ts";
import { MAX_ENTRIES, STOP, type Walked } from "./visitor.ts";
import { walk } from "./walk.ts";
import { REPLY_BYTES, TREE_ENTRIES } from "../text/reply-size.ts";

/** Names that JSON does not escape. */
const PLAIN = /^[\w. -]*$/;

export interface TreeNode {
  readonly name: string;
  readonly type: EntryType;
  readonly children?: readonly TreeNode[];
  /** Only where children are left out. */
  readonly truncated?: true;
}

export interface TreeOptions {
  readonly excludePatterns?: readonly string[] | undefined;
  /** Leave out what .gitignore ignores. Default false. */
  readonly respectGitignore?: boolean | undefined;
  /** Levels to show; 1: the entries of the folder itself. */
  readonly maxDepth?: number | undefined;
  readonly maxEntries?: number | undefined;
  /** The most bytes of the tree in the reply. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((seen: number) => void) | undefined;
}

export interface Tree {
  /** The real path of the folder. */
  readonly path: string;
  readonly nodes: readonly TreeNode[];
  /** Entries in the tree. */
  readonly entries: number;
  /** Entries that the patterns allow are missing. */
  readonly truncated: boolean;
  readonly omitted: {
    /** Entries that were seen and had no room. */
    readonly entries: number;
    /** Directories in the tree with missing children. */
    readonly directories: number;
  };
  readonly walked: Walked;
}

interface Growing {
  name: string;
  type: EntryType;
  children?: Growing[];
  truncated?: true;
}

interface Place {
  readonly node: Growing;
  /** Relative to the top, with a slash at its end; empty for the top. */
  readonly path: string;
  readonly depth: number;
}

export async function folderTree(sandbox: Sandbox, path: string, options: TreeOptions = {}): Promise<Tree> {
  const { maxEntries = TREE_ENTRIES, maxDepth = Number.POSITIVE_INFINITY, maxBytes = REPLY_BYTES } = options;
  const excludes = compileTreeExcludes(options.excludePatterns ?? []);
  using start = sandbox.folder(path);
  const ignoreRules = options.respectGitignore === true ? await IgnoreRules.load(sandbox, start.path) : undefined;
  const top: Growing = { name: "", type: "directory", children: [], truncated: true };
  let entries = 0;
  let omitted = 0;
  let bytes = 0;
  /** The directory in which the budget ran out. The rest of its entries is only counted. */
  let full: Growing | undefined;

  const entry = (found: FolderEntry, at: Place): Place | undefined | typeof STOP => {
    const path = at.path + found.name;
    if (excludes.matches(path)) return undefined;
    const node: Growing = { name: found.name, type: typeOf(found) };
    bytes += weight(node, at.depth);
    if (entries >= maxEntries || bytes > maxBytes) full ??= at.node;
    if (full) {
      at.node.truncated = true;
      if (full !== at.node) return STOP;
      omitted += 1;
      return undefined;
    }
    entries += 1;
    at.node.children?.push(node);
    if (node.type !== "directory") return undefined;
    node.children = [];
    // Until it is opened.
    node.truncated = true;
    return at.depth + 1 < maxDepth ? { node, path: `${path}/`, depth: at.depth + 1 } : undefined;
  };
  const opened = ({ node }: Place) => {
    delete node.truncated;
  };

  const place: Place = { node: top, path: "", depth: 0 };
  const walked = await walk(sandbox, start, place, { entry, opened }, { ...options, ignoreRules, maxEntries: MAX_ENTRIES, order: "wide" });
  const directories = countTruncated(top);
  return {
    path: start.path,
    nodes: top.children ?? [],
    entries,
    truncated: directories > 0 || walked.ended !== undefined || walked.cutFolders > 0,
    omitted: { entries: omitted, directories },
    walked,
  };
}

/** The text of the reference server. */
export function treeText(tree: Tree): string {
  return escapeControlsInJson(JSON.stringify(tree.nodes, null, 2));
}

/** For a text of its own: that the tree is cut, and how to continue. */
export function treeNotice({ entries, omitted, truncated }: Tree): string | undefined {
  if (!truncated) return undefined;
  const met = omitted.entries > 0 ? `; ${omitted.entries} more were met` : "";
  const where = `${omitted.directories} directories are not shown in full ("truncated": true)`;
  return `(the tree is cut at ${entries} entries${met}; ${where}: ask for one of them, or use excludePatterns, maxDepth or maxEntries)`;
}

function countTruncated(top: Growing): number {
  let count = 0;
  const nodes = [top];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (node.truncated) count += 1;
    for (const child of node.children ?? []) if (child.children) nodes.push(child);
  }
  return count;
}

/** Bytes of a node in the reply: four indented lines of JSON, six for a directory, inside JSON again, and twice. */
function weight(node: Growing, depth: number): number {
  const indent = 2 + 4 * depth;
  const lines = node.type === "directory" ? 6 : 4;
  // With its quotes, which are escaped once more.
  const name = PLAIN.test(node.name) ? node.name.length + 6 : jsonStringBytes(JSON.stringify(node.name));
  return 2 * (lines * (indent + 2) + 50 + (lines - 4) * 16 + name);
}
