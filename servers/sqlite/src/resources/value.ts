// sqlite://{database}/blob/{table}/{column}/{rowid}: one value, complete.
import { invalidParams, template } from "@oarlock/server-kit";
import { completeColumn, completeDatabase, completeTable } from "../completion.ts";
import type { Dependencies } from "../dependencies.ts";
import { withResourceErrors } from "./resource-errors.ts";
import { uriMatcher } from "./uri-template.ts";

const VALUE = "sqlite://{database}/blob/{table}/{column}/{rowid}";
/** A BLOB of this share of a reply fits as base64, which takes a third more. */
const BLOB_SHARE = 0.7;

export const value = ({ databases, maxResultBytes }: Dependencies) =>
  template({
    uri: VALUE,
    match: uriMatcher(VALUE),
    name: "value",
    title: "Value",
    description: "One value of a table, complete: a BLOB as bytes, anything else as text",
    complete: { database: completeDatabase(databases), table: completeTable(databases), column: completeColumn(databases) },
    read: ({ database, table, column, rowid }, ctx, uri) =>
      withResourceErrors(uri, async () => {
        if (!/^-?\d{1,19}$/.test(rowid)) throw invalidParams("Invalid rowid: expected an integer.");
        const maxBytes = Math.floor((maxResultBytes - 2000) * BLOB_SHARE);
        const { reply } = await databases.get(database).read({ op: "value", table, column, rowid, maxBytes }, ctx);
        return "text" in reply
          ? { text: reply.text, mimeType: "text/plain" }
          : { blob: reply.base64, mimeType: "application/octet-stream" };
      }),
    noticesOtherProcesses: true,
    watch: ({ database }, changed, uri) => withResourceErrors(uri, () => databases.get(database).watch("data", changed)),
  });
