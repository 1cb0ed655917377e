/** Reads the commands that the pages show: the lines of `sh` blocks, and those behind `$ ` in `text` blocks. */
import { allBlocks, named } from "./read-blocks.ts";

/** Each with the name of its block. */
export const commands = allBlocks()
  .filter(({ language }) => language === "sh" || language === "text")
  .flatMap((block) =>
    logicalLines(block.text)
      .flatMap((line) => (block.language === "sh" ? [line] : line.startsWith("$ ") ? [line.slice(2)] : []))
      .map((line) =>
        line
          .replace(/(?:^|\s+)#.*$/, "")
          .replace(/^(?:[A-Z_]+=\S+ )+/, "")
          .trim(),
      )
      .filter((line) => line !== "")
      .map((line) => [named(block), line] as const),
  );

/** Lines of a shell: a backslash at the end, and a quote that is open, continue on the next line. */
function logicalLines(text: string): string[] {
  return text
    .replaceAll("\\\n", " ")
    .replaceAll(/(?<=\s)'[^'\n]*\n[^']*'(?=\s|$)/g, (quoted) => quoted.replaceAll(/\n\s*/g, " "))
    .split("\n");
}

/** The words of a simple command: blanks separate, quotes hold together. */
export const splitCommand = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
