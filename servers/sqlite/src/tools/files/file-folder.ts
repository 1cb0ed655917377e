// The toolset `files`: its path argument, and the folder of its files.
import { dirname } from "node:path";
import { text } from "../../argument-schemas.ts";
import type { Database } from "../../db/database.ts";
import type { Dependencies } from "../../dependencies.ts";

export const TOOLSET = "files";

export const path = text("Path of a file in the folder for files");

/** The operator's folder, or that of the database. */
export const folderFor = ({ filesDir }: Dependencies, db: Database): string => filesDir ?? dirname(db.file);
