// list_directory_with_sizes: lists the entries of one directory with file sizes, sorted, and totals.
import { tool } from "@oarlock/server-kit";
import { listFolderWithSizes } from "../../disk/tree/listing.ts";
import { sizedListText } from "../../disk/tree/listing-text.ts";
import { pageBudget, type Dependencies } from "../../dependencies.ts";
import { choice, count, cursor, folder, object, result, z } from "../../schema.ts";

export const listDirectoryWithSizes = ({ sandboxes, maxResultBytes }: Dependencies) =>
  tool({
    name: "list_directory_with_sizes",
    title: "List directory with sizes",
    description: "List the entries of a directory with file sizes and totals.",
    input: () =>
      object({
        path: folder,
        sortBy: z._default(choice(["name", "size"], "Order"), "name"),
        limit: count("Entries on a page"),
        cursor,
      }),
    output: () =>
      result({
        content: z.string(),
        entries: z.array(z.looseObject({ name: z.string(), type: z.string(), size: z.int() })),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ path, sortBy, limit, cursor: from }, ctx) {
      const options = { sortBy, limit, cursor: from, maxBytes: pageBudget(maxResultBytes, limit), signal: ctx.signal };
      const listing = await listFolderWithSizes(await sandboxes.of(ctx), path, options);
      const content = sizedListText(listing);
      const { entries, totals, truncated, nextCursor } = listing;
      return {
        content,
        structured: {
          content,
          entries: entries.map((entry) => ({ ...entry })),
          totals: { ...totals },
          truncated: truncated || listing.beyond,
          nextCursor,
        },
      };
    },
  });
