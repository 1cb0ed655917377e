// All rows of the parity run.
import type { Row } from "./row.ts";
import { editing } from "./tables/editing.ts";
import { facts } from "./tables/facts.ts";
import { listing } from "./tables/listing.ts";
import { madeUpEdits } from "./tables/made-up-edits.ts";
import { moving } from "./tables/moving.ts";
import { readingMedia } from "./tables/reading-media.ts";
import { readingText } from "./tables/reading-text.ts";
import { searching } from "./tables/searching.ts";
import { writing } from "./tables/writing.ts";

export const TABLES: Readonly<Record<string, readonly Row[]>> = {
  "reading text": readingText,
  "reading media": readingMedia,
  writing,
  editing,
  "made-up edits": madeUpEdits,
  listing,
  searching,
  moving,
  facts,
};
