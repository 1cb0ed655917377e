// Prints the steps of the demo to stdout and counts passed and failed ones.
import { styleText } from "node:util";

const WIDTH = 110;
const TITLE = 14;
const INDENT = " ".repeat(TITLE + 5);

/** "a, b and c" */
export const names = (all: readonly string[]): string => new Intl.ListFormat("en-GB").format(all);

export class Narrator {
  passed = 0;
  failed = 0;
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void = (line) => console.log(line)) {
    this.#write = write;
  }

  heading(text: string): void {
    this.#write(`\n${styleText("bold", `── ${text} `.padEnd(WIDTH, "─"))}`);
  }

  line(text: string): void {
    this.#write(text);
  }

  /** Prints a passed step with its lines; `steps` is the number of steps in one line. */
  printPassed(title: string, lines: readonly string[], steps = 1): void {
    this.passed += steps;
    this.#print(styleText("green", "✓"), title, lines.flatMap(wrapped));
  }

  printFailed(title: string, lines: readonly string[]): void {
    this.failed++;
    this.#print(styleText("red", "✗"), title, lines); // not wrapped: it may be a stack trace
  }

  #print(mark: string, title: string, [first = "", ...more]: readonly string[]): void {
    this.#write(`  ${mark} ${styleText("bold", title.padEnd(TITLE))} ${first}`);
    for (const line of more) this.#write(INDENT + line);
  }
}

/** Wraps between words; an indented line stays as it is. */
function wrapped(text: string): string[] {
  if (text.startsWith(" ")) return [text];
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + word.length < WIDTH - INDENT.length) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
