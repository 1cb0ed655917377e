// What a dry run would change, in the text and the structured result of a reply.
import { clip, counted, escapeControlsInJson } from "@oarlock/domain-kit";
import type { ChangePreview } from "../db/protocol/change-messages.ts";

export interface PreviewMembers {
  readonly preview?: ChangePreview;
  /** Of tables that triggers and foreign keys change. */
  readonly otherPreviews?: readonly ChangePreview[];
}

export function previewMembers([preview, ...otherPreviews]: readonly ChangePreview[] = []): PreviewMembers {
  return { ...(preview !== undefined && { preview }), ...(otherPreviews.length > 0 && { otherPreviews }) };
}

/** One text for each table with rows, one line for each row: objects, which are easier to compare. Updated rows follow each other. */
export const previewLines = (previews: readonly ChangePreview[] = []): string[] =>
  previews.flatMap((preview, index) => {
    const { table, columns, before, after, updated, unchanged = 0 } = preview;
    const of = index === 0 ? "" : ` in ${clip(JSON.stringify(table))}`;
    const lines = (title: string, rows: readonly unknown[][]): string[] =>
      rows.map((row) => {
        const object = Object.fromEntries(columns.map(({ name }, column) => [name, row[column]]));
        return `${title}${of}: ${escapeControlsInJson(JSON.stringify(object))}`;
      });
    const [linesBefore, linesAfter] = [lines("Before", before), lines("After", after)];
    const pairs = Math.min(updated - unchanged, before.length, after.length);
    const all = [
      ...linesBefore.slice(0, pairs).flatMap((line, row) => [line, linesAfter[row] ?? ""]),
      ...linesBefore.slice(pairs),
      ...linesAfter.slice(pairs),
    ];
    const rows = [...countsOf(preview), ...unchangedText(preview), ...all, ...truncationOf(preview, pairs)];
    return all.length === 0 && (preview.unchanged ?? 0) === 0 ? [] : [rows.join("\n")];
  });

/** A dry run shows rows that change, and counts the others. */
function unchangedText({ table, updated, unchanged = 0 }: ChangePreview): string[] {
  if (unchanged === 0) return [];
  const rows = unchanged === updated ? (updated === 1 ? "The row" : `All ${updated} rows`) : `${unchanged} of ${counted(updated, "row")}`;
  return [`${rows} of ${clip(table, 80)} would stay as ${unchanged === 1 ? "it is" : "they are"}.`];
}

/** Where rows are both added and updated or deleted. */
function countsOf({ added, updated, deleted }: ChangePreview): string[] {
  const counts = Object.entries({ added, updated, deleted }).flatMap(([act, count]) => (count > 0 ? [`${count} ${act}`] : []));
  return counts.length > 1 ? [counts.join(", ")] : [];
}

function truncationOf({ before, after, added, updated, deleted, unchanged = 0, truncated }: ChangePreview, pairs: number): string[] {
  if (!truncated) return [];
  const [listed, all] = [before.length + after.length - pairs, added + updated + deleted - unchanged];
  if (all === 0) return [`[truncated: the first ${counted(listed, "row")} of the table]`];
  if (listed === all) return ["[truncated: only the first columns are shown]"];
  const next = added === all ? "" : "; a SELECT with the same WHERE shows all";
  return [`[truncated: ${listed} of ${counted(all, "row")}${next}]`];
}
