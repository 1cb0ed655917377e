// All rows of the comparison.
import type { Row } from "./row.ts";
import { adding } from "./tables/adding.ts";
import { creating } from "./tables/creating.ts";
import { deleting } from "./tables/deletions.ts";
import { files } from "./tables/files.ts";
import { madeUp } from "./tables/random-conversations.ts";
import { reading } from "./tables/reading.ts";
import { searching } from "./tables/searching.ts";

export const TABLES = {
  creating,
  adding,
  deleting,
  reading,
  searching,
  files,
  "made-up conversations": madeUp,
} satisfies Record<string, readonly Row[]>;
