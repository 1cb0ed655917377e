// What the three tools on files share.
import { dirname } from "node:path";
import type { Database } from "../db/databases.ts";
import type { Parts } from "../dependencies.ts";
import { text } from "../argument-schemas.ts";

export const TOOLSET = "files";

export const path = text("A path in the folder for files");

/** The operator's folder, or that of the database. */
export const folderFor = ({ filesDir }: Parts, db: Database): string => filesDir ?? dirname(db.file);
