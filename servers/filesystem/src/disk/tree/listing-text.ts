// The texts of the two listings, as the reference server prints them for files and folders. Links, sockets and pipes, which it lists as
// files, have marks of their own.
import { escapeControls } from "@oarlock/domain-kit";
import { linkEndText } from "../access/link-end.ts";
import type { Entry, Listing, SizedListing } from "./listing.ts";

const MARKS = { directory: "[DIR]", file: "[FILE]", symlink: "[LINK]", other: "[OTHER]" } as const;

export function listText(listing: Listing): string {
  const lines = listing.entries.map((entry) => `${MARKS[entry.type]} ${labelled(entry)}`);
  return [...cutNotice(listing), ...lines].join("\n");
}

export function sizedListText(listing: SizedListing): string {
  const { files, directories, symlinks, others, bytes } = listing.totals;
  const lines = listing.entries.map((entry) => {
    const size = entry.type === "file" ? sizeText(entry.size).padStart(10) : "";
    return `${MARKS[entry.type]} ${labelled(entry).padEnd(30)} ${size}`;
  });
  const rest = [symlinks > 0 ? `, ${symlinks} links` : "", others > 0 ? `, ${others} others` : ""].join("");
  const total = `Total: ${files} files, ${directories} directories${rest}`;
  return [...cutNotice(listing), ...lines, "", total, `Combined size: ${sizeText(bytes)}`].join("\n");
}

/** `1.50 KB`, as the reference server writes sizes. */
export function sizeText(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = 0;
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024;
  return unit === 0 ? `${bytes} B` : `${size.toFixed(2)} ${units[unit]}`;
}

const labelled = (entry: Entry): string => escapeControls(entry.name) + linkEndText(entry);

/** Stands before the entries, because hosts cut the end of a long reply. */
function cutNotice({ entries, offset, total, truncated, beyond, nextCursor }: Listing): string[] {
  const notices: string[] = [];
  const most = beyond ? `the first ${total}` : `${total}`;
  if (truncated) notices.push(`(entries ${offset + 1} to ${offset + entries.length} of ${most}; pass the cursor ${nextCursor} to go on)`);
  if (beyond && !truncated) notices.push(`(the folder has more than ${total} entries; the rest is not listed)`);
  return notices;
}
