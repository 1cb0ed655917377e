// A resource that clients can watch: the text of a file.
// Run: node watched-resource.ts FILE
import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { defineServer, resource } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";

const file = process.argv[2] ?? "todo.md";

const todo = resource({
  uri: "todo://list",
  name: "todo",
  mimeType: "text/markdown",
  read: () => readFile(file, "utf8"),
  // Runs once, however many clients watch; the returned function runs after the last of them has left.
  watch(changed) {
    const watcher = watch(file, () => changed());
    return () => watcher.close();
  },
});

const server = defineServer({ name: "todo", version: "1.0.0", resources: [todo] });
await serveStdio(server).ended;
