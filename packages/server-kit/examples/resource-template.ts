// A fixed resource beside a template for a family of them, whose variable has completion.
import { defineServer, resource, template } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";

const notes = new Map([
  ["ideas", "A boat with two oars."],
  ["shopping", "Rope, varnish."],
]);

const index = resource({
  uri: "note:///",
  name: "index",
  description: "The names of all notes.",
  mimeType: "text/plain",
  read: () => ({ text: [...notes.keys()].join("\n") }),
});

const note = template({
  uri: "note:///{name}",
  name: "note",
  mimeType: "text/plain",
  complete: { name: (prefix) => [...notes.keys()].filter((name) => name.startsWith(prefix)) },
  read({ name }) {
    const text = notes.get(name);
    return text === undefined ? undefined : { text }; // undefined is answered as "resource not found"
  },
});

const server = defineServer({ name: "notes", version: "1.0.0", resources: [index, note] });
await serveStdio(server).ended;
