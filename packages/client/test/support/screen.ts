// What stands on a terminal.

/** The cursor stands behind a question, which readline places by a sequence of the terminal. */
// oxlint-disable-next-line no-control-regex
const QUESTION = /(?:\] |: )\u001b\[\d+G$/;
// oxlint-disable-next-line no-control-regex
const SEQUENCES = /\u001b\[[\d;?]*[A-Za-z]/g;

/** A screen on which a user types an answer to each question. */
export class Screen {
  readonly #left: string[];
  #text = "";
  #unanswered = "";

  constructor(answers: readonly string[]) {
    this.#left = [...answers];
  }

  /** Takes what was printed. Returns what the user types then: an answer, or Ctrl+C at a question that is not expected. */
  print(text: string): string | undefined {
    this.#text += text;
    this.#unanswered += text;
    if (!QUESTION.test(this.#unanswered)) return undefined;
    this.#unanswered = "";
    const answer = this.#left.shift();
    return answer === undefined ? "\u0003" : `${answer}\r`;
  }

  /** All that is on the screen at the end, the typed answers included. Fails when there were fewer questions than answers. */
  read(): string {
    if (this.#left.length > 0) throw new Error(`${this.#left.length} answers were not asked for: expected none.\n${this.#text}`);
    return this.#text.replaceAll(SEQUENCES, "").replaceAll("\r\n", "\n").replaceAll("\r", "");
  }
}
