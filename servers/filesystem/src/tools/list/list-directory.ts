// list_directory: lists the entries of one directory, with their types.
import { tool } from "@oarlock/server-kit";
import { listFolder } from "../../disk/tree/listing.ts";
import { listText } from "../../disk/tree/listing-text.ts";
import { pageBudget, type Dependencies } from "../../dependencies.ts";
import { count, cursor, folder, object, result, z } from "../../schema.ts";

export const listDirectory = ({ sandboxes, maxResultBytes }: Dependencies) =>
  tool({
    name: "list_directory",
    title: "List directory",
    description: "List the entries of a directory, marked [DIR], [FILE], [LINK] or [OTHER].",
    input: () => object({ path: folder, limit: count("Entries on a page"), cursor }),
    output: () =>
      result({
        content: z.string(),
        entries: z.array(z.looseObject({ name: z.string(), type: z.string() })),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ path, limit, cursor: from }, ctx) {
      const listing = await listFolder(await sandboxes.of(ctx), path, {
        limit,
        cursor: from,
        maxBytes: pageBudget(maxResultBytes, limit),
        signal: ctx.signal,
      });
      const content = listText(listing);
      const { entries, truncated, nextCursor } = listing;
      return {
        content,
        structured: { content, entries: entries.map((entry) => ({ ...entry })), truncated: truncated || listing.beyond, nextCursor },
      };
    },
  });
