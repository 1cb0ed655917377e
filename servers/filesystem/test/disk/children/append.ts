/** Appends to a file without end. */
import { appendFileSync } from "node:fs";

const [path = ""] = process.argv.slice(2);
appendFileSync(path, "first\n");
process.send?.("ready");
setInterval(() => {
  for (let i = 0; i < 200; i += 1) appendFileSync(path, "more and more\n");
}, 0);
