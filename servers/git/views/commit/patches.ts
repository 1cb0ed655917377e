// Patches of a diff, from the tool for views.
import { callTool, structuredOf, type Page } from "@oarlock-tooling/views";
import type { DiffFile, PatchPart } from "@oarlock-tooling/views/diff";

/** Arguments of view_diff that say what is compared. */
export type Comparison = Readonly<Record<string, unknown>>;

export interface DiffReply {
  readonly files?: readonly DiffFile[];
  readonly totals?: { readonly files: number; readonly additions: number; readonly deletions: number };
  readonly omitted?: readonly { readonly path: string; readonly reason: string }[];
  readonly truncated?: boolean;
  readonly nextCursor?: string;
}

export const canCallTools = ({ host }: Page): boolean => host.capabilities.serverTools !== undefined;

/** All files of a diff. */
export async function readFiles({ host }: Page, comparison: Comparison): Promise<DiffReply> {
  return structuredOf(await callTool(host, "view_diff", comparison)); // checked by the server against its output schema
}

/** Loads the patches of single files. Undefined where the host calls no tools. */
export function patchLoader(page: Page, comparison: Comparison): ((file: DiffFile, next?: string) => Promise<PatchPart>) | undefined {
  if (!canCallTools(page)) return undefined;
  return async ({ path, oldPath }, next) => {
    const paths = oldPath === undefined ? [path] : [oldPath, path];
    const { files = [], nextCursor } = await readFiles(page, { ...comparison, paths, ...(next !== undefined && { cursor: next }) });
    const { patch } = files.find((file) => file.path === path) ?? {};
    if (patch === undefined) throw new Error("The diff no longer has this file.");
    return { patch, next: nextCursor };
  };
}

/** The files of a reply, each with the reason why its patch is missing. */
export function filesOf({ files = [], omitted = [], nextCursor }: DiffReply): DiffFile[] {
  const reasons = new Map(omitted.map(({ path, reason }) => [path, reason]));
  const isCut = nextCursor !== undefined && files.length === 1;
  return files.map((file) => ({ ...file, ...(isCut && { isCut }), ...noteOf(file, reasons.get(file.path)) }));
}

const noteOf = ({ patch }: DiffFile, reason: string | undefined): { note?: string } =>
  patch !== undefined || reason === undefined ? {} : { note: reason === "budget" ? "beyond the size of the reply" : reason };
