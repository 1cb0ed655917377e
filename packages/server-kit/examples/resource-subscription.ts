// A resource template over a folder of notes: completion of names, and subscriptions that report changed files.
// Run: node resource-subscription.ts FOLDER
import { watch } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineServer, template } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";

const folder = process.argv[2] ?? ".";

const note = template({
  uri: "note:///{name}",
  name: "note",
  complete: { name: async (prefix) => (await readdir(folder)).filter((name) => name.startsWith(prefix)) },
  async read({ name }) {
    if (!(await readdir(folder)).includes(name)) return undefined; // answered as "resource not found"
    return { text: await readFile(join(folder, name), "utf8"), mimeType: "text/plain" };
  },
  // Starts with the first subscription to a note; the returned function runs after the last one has ended.
  watch({ name }, notifyChanged) {
    const watcher = watch(folder, (_event, file) => file === name && notifyChanged());
    return () => watcher.close();
  },
});

const server = defineServer({ name: "notes", version: "1.0.0", resources: [note] });
await serveStdio(server).ended;
