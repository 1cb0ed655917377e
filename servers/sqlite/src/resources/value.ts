// sqlite://{database}/blob/{table}/{column}/{rowid}: one value, whole.
import { invalidParams, template } from "@oarlock/server-kit";
import { completeColumn, completeDatabase, completeTable } from "../completion.ts";
import type { BlobTold } from "../db/protocol/requests.ts";
import type { Parts } from "../dependencies.ts";
import { addressOf } from "./uri-template.ts";
import { found } from "./resource-errors.ts";

const BLOB = "sqlite://{database}/blob/{table}/{column}/{rowid}";

export const blob = ({ databases, maxResultBytes }: Parts) =>
  template({
    uri: BLOB,
    match: addressOf(BLOB),
    name: "value",
    title: "Value",
    description: "One value of a table, whole: a BLOB as bytes, anything else as text",
    complete: { database: completeDatabase(databases), table: completeTable(databases), column: completeColumn(databases) },
    read: ({ database, table, column, rowid }, ctx, uri) =>
      found(uri, async () => {
        if (!/^-?\d{1,19}$/.test(rowid)) throw invalidParams("rowid: expected an integer");
        const most = Math.floor((maxResultBytes - 2000) * 0.7);
        const { done } = await databases.get(database).read({ op: "blob", table, column, rowid, most }, ctx);
        const told = done as BlobTold; // our own process told it
        return "text" in told ? { text: told.text, mimeType: "text/plain" } : { blob: told.base64, mimeType: "application/octet-stream" };
      }),
    watch: ({ database }, changed, _ctx, uri) => found(uri, () => databases.get(database).watch("data", changed)),
  });
