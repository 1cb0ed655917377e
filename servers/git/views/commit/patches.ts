// Patches of a diff, from the tool for views.
import { callTool, structuredOf, type Page } from "@oarlock/extensions/page";
import type { DiffFile, LoadPatch } from "@oarlock/extensions/page/diff";

/** Arguments of view_diff that say what is compared. */
export type Comparison = Readonly<Record<string, unknown>>;

export interface DiffReply {
  readonly files?: readonly DiffFile[];
  readonly totals?: { readonly files: number; readonly additions: number; readonly deletions: number };
  readonly omitted?: readonly { readonly path: string; readonly reason: string }[];
  readonly truncated?: boolean;
  readonly nextCursor?: string;
}

/** All files of a diff. */
export async function readFiles({ host }: Page, comparison: Comparison): Promise<DiffReply> {
  return structuredOf(await callTool(host, "view_diff", comparison)); // checked by the server against its output schema
}

/** So many files whose patches are missing are loaded with one call. */
const FILES_PER_CALL = 20;

/** Loads missing patches of `files`, with those of the files that follow. Undefined where the host calls no tools. */
export function patchLoader(page: Page, comparison: Comparison, files: readonly DiffFile[]): LoadPatch | undefined {
  if (!page.canCallTools) return undefined;
  const loaded = new Map<string, string>();
  const load = async (some: readonly DiffFile[], next?: string): Promise<DiffReply> => {
    const paths = some.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [oldPath, path]));
    return await readFiles(page, { ...comparison, paths, ...(next !== undefined && { cursor: next }) });
  };
  return async (file, next) => {
    const following = files.slice(files.indexOf(file)).filter(({ path, patch }) => patch === undefined && !loaded.has(path));
    if (file.patch === undefined && next === undefined && !loaded.has(file.path) && following.length > 1) {
      const reply = await load(following.slice(0, FILES_PER_CALL));
      for (const { path, patch } of reply.files ?? []) if (patch !== undefined) loaded.set(path, patch);
    }
    const known = next === undefined ? loaded.get(file.path) : undefined;
    if (known !== undefined) return { patch: known };
    const { files: found = [], nextCursor } = await load([file], next);
    const patch = found.find(({ path }) => path === file.path)?.patch;
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
