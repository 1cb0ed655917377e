// Tells on stdout what happens, in words for people, and keeps count of what held.
import { styleText } from "node:util";

const WIDTH = 110;
const TITLE = 14;
const INDENT = " ".repeat(TITLE + 5);

export class Narrator {
  held = 0;
  failed = 0;
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void = (line) => console.log(line)) {
    this.#write = write;
  }

  /** A new scene. */
  heading(text: string): void {
    this.#write(`\n${styleText("bold", `── ${text} `.padEnd(WIDTH, "─"))}`);
  }

  line(text: string): void {
    this.#write(text);
  }

  /** What held; what there is to tell follows the title. `steps` is how many steps it stands for. */
  tellHeld(title: string, told: readonly string[], steps = 1): void {
    this.held += steps;
    this.#tell(styleText("green", "✓"), title, told.flatMap(wrapped));
  }

  tellFailed(title: string, told: readonly string[]): void {
    this.failed++;
    this.#tell(styleText("red", "✗"), title, told); // as it is: it may be a stack
  }

  #tell(mark: string, title: string, [first = "", ...more]: readonly string[]): void {
    this.#write(`  ${mark} ${styleText("bold", title.padEnd(TITLE))} ${first}`);
    for (const line of more) this.#write(INDENT + line);
  }
}

/** Broken between words; a line that is indented is shown as it is. */
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
