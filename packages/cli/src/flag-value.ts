// Flag value: one text from the command line or the environment, read by the type of its flag.
import { homedir } from "node:os";
import type { Flag } from "./flags.ts";
import { quoted, StartError } from "./start/start-error.ts";

export type Value = boolean | number | string;

/** Reads one value. `source` is the switch or the variable that it was written to: `--timeout`, `OARLOCK_TIMEOUT`. */
export function readValue(flag: Flag, text: string, source: string): Value {
  const invalid = (expected: string): StartError =>
    new StartError(`Invalid value for ${source}: expected ${expected}, got ${quoted(text)}. Correct it or leave it out.`, 2);
  switch (flag.type) {
    case "boolean": {
      const word = text.toLowerCase();
      if (word === "1" || word === "true") return true;
      if (word === "0" || word === "false") return false;
      throw invalid("1, true, 0 or false");
    }
    case "choice":
      if (flag.choices.includes(text)) return text;
      throw invalid(`one of ${flag.choices.join(", ")}`);
    case "count": {
      const count = /^\d{1,16}$/.test(text) ? Number(text) : -1;
      if (count >= (flag.zero === true ? 0 : 1) && Number.isSafeInteger(count)) return count;
      throw invalid(flag.zero === true ? "a whole number from 0" : "a whole number above 0");
    }
    case "port": {
      const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
      if (port >= 0 && port <= 65_535) return port;
      throw invalid("a port from 0 to 65535");
    }
    case "rate": {
      const rate = /^\d{1,12}(\.\d{1,6})?\/s$/.test(text) ? Number(text.slice(0, -2)) : 0;
      if (rate > 0) return rate;
      throw invalid("a number above 0 and /s, as in 20/s");
    }
    default:
      if (text === "") throw invalid(flag.value);
      return flag.type === "path" || flag.type === "paths" ? expandHome(text) : text;
  }
}

/** `~` and `~/…` as a shell would, for configurations that no shell has read. */
export function expandHome(path: string): string {
  if (!/^~(?=$|[/\\])/.test(path)) return path;
  return homedir() + path.slice(1);
}

/** The items of a text with commas; those inside braces, as in `*.{md,txt}`, separate nothing. */
export function splitCommas(text: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}") depth = Math.max(0, depth - 1);
    else if (text[at] === "," && depth === 0) {
      items.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...items, text.slice(from)].map((item) => item.trim());
}
