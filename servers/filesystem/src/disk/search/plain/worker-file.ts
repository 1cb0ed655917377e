// Where the worker of the plain engine is: beside this file in the sources and in the plain modules, which lie beside the bundle.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export function workerFile(): URL {
  const places = [
    new URL("./plain-worker.ts", import.meta.url),
    new URL("./plain-worker.js", import.meta.url),
    new URL("../disk/search/plain/plain-worker.js", import.meta.url),
  ];
  const found = places.find((place) => existsSync(fileURLToPath(place)));
  if (found === undefined) throw new Error("The search worker is missing from this installation");
  return found;
}
