// Databases whose schema needs what only the program that made them has: collations, tokenizers, functions, modules.
import Database from "better-sqlite3";

/** Writes other names into the statements of the schema, as only another program could have written them. */
export function renameInSchema(file: string, names: readonly (readonly [object: string, from: string, to: string])[]): string {
  const db = new Database(file);
  db.unsafeMode(true);
  db.pragma("writable_schema = ON");
  const rename = db.prepare("UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = ?");
  for (const [object, from, to] of names) rename.run(from, to, object);
  db.close();
  return file;
}
