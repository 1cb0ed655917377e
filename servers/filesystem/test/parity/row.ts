// One line of the parity run: calls that both servers get, each on a folder of its own that starts out as `tree`.
import type { Tree } from "@oarlock/testing";
import type { DeviationId } from "./deviations.ts";

/** In texts `{}` stands for the row's own folder, an absolute path, and `{name}` for its name below the allowed directory. */
export type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** What ours says: the exact text (or blocks as JSON), or a pattern for it. */
export type Said = string | RegExp;

export interface Row {
  readonly does: string;
  readonly tree: Tree;
  readonly calls: readonly Call[];
  /** Left out: the two agree to the letter, in what they say and in what they leave. */
  readonly differs?: Difference;
}

export interface Difference {
  readonly by: DeviationId;
  /** What ours says of the last call. */
  readonly ours: Said;
  /** Which of the two refuse the last call. */
  readonly refusing: "both" | "ours at least" | "none" | "the other";
  /** Files that ours leaves, and their text in Latin-1. */
  readonly leaves?: Readonly<Record<string, string>>;
}

type Leaves = Difference["leaves"];
const differing =
  (refusing: Difference["refusing"]) =>
  (by: DeviationId, does: string, tree: Tree, call: Call | readonly Call[], ours: Said, leaves?: Leaves): Row => ({
    does,
    tree,
    calls: isCalls(call) ? call : [call],
    differs: { by, ours, refusing, ...(leaves !== undefined && { leaves }) },
  });
const isCalls = (call: Call | readonly Call[]): call is readonly Call[] => typeof call[0] !== "string";

/** Both say and do the same. */
export const same = (does: string, tree: Tree, ...calls: Call[]): Row => ({ does, tree, calls });
/** Both refuse, in other words. */
export const refused = (does: string, tree: Tree, call: Call, ours: Said): Row => differing("both")("errors", does, tree, call, ours);
/** Ours says something else. */
export const says = differing("none");
/** Ours refuses, whatever the other does. */
export const refuses = differing("ours at least");
/** Ours does what the other refuses. */
export const does = differing("the other");

/** Both do the same; a name with a line end is escaped in our text only. */
export const sameButEscaped = (title: string, name: string, tree: Tree, call: Call, ours: string): Row =>
  name.includes("\n") ? says("one-line-names", title, tree, call, ours.replaceAll("\n", "\\n")) : same(title, tree, call);

/** The notice about an unknown argument, after the result. */
export const UNKNOWN = /\nUnknown argument "nonsense": [^\n]+$/;

/** Arguments that do not fit: which tool, and where. */
export const faulty = (tool: string, place: string): RegExp =>
  new RegExp(`^Invalid arguments for ${tool}:\\n${place.replaceAll(".", "\\.")}: .`);
