// What cannot be done, in one sentence that says what to do instead.

/** Exit codes as every command of this project has them: 2 for how it was called, 3 for what it found. */
export class Refusal extends Error {
  readonly code: 2 | 3;

  constructor(code: 2 | 3, message: string) {
    super(message);
    this.code = code;
  }
}
