import { watch } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { template } from "@oarlock/server-kit";

export const note = (folder: string) =>
  template({
    uri: "note:///{name}",
    name: "note",
    complete: { name: async (typed) => (await readdir(folder)).filter((name) => name.startsWith(typed)) },
    async read({ name }) {
      if (!(await readdir(folder)).includes(name)) return undefined; // no such resource
      return { text: await readFile(join(folder, name), "utf8"), mimeType: "text/plain" };
    },
    watch({ name }, changed) {
      const watcher = watch(folder, (_event, file) => file === name && changed());
      return () => watcher.close();
    },
  });
