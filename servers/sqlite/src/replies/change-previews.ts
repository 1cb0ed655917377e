// What a dry run would change, in the text and the structured result of a reply.
import { clip, escapeControlsInJson } from "@oarlock/domain-kit";
import type { ChangePreview } from "../db/protocol/change-messages.ts";

export interface PreviewMembers {
  readonly preview?: ChangePreview;
  /** Of tables that triggers and foreign keys change. */
  readonly otherPreviews?: readonly ChangePreview[];
}

export function previewMembers([preview, ...otherPreviews]: readonly ChangePreview[] = []): PreviewMembers {
  return { ...(preview !== undefined && { preview }), ...(otherPreviews.length > 0 && { otherPreviews }) };
}

/** One text for each table with rows, one line for each row: objects, which are easier to compare. */
export const previewLines = (previews: readonly ChangePreview[] = []): string[] =>
  previews.flatMap(({ table, columns, before, after, truncated }, index) => {
    const of = index === 0 ? "" : ` in ${clip(JSON.stringify(table))}`;
    const lines = (title: string, rows: readonly unknown[][]): string[] =>
      rows.map((row) => {
        const object = Object.fromEntries(columns.map(({ name }, column) => [name, row[column]]));
        return `${title}${of}: ${escapeControlsInJson(JSON.stringify(object))}`;
      });
    const all = [
      ...lines("Before", before),
      ...lines("After", after),
      ...(truncated ? ["[truncated: only the first rows are shown]"] : []),
    ];
    return all.length === 0 ? [] : [all.join("\n")];
  });
