// Counts the steps of long work for its progress.

/** The same work; each of its steps is reported. */
export function* reported<T>(work: Generator<unknown, T>, report: (done: number) => void): Generator<void, T> {
  try {
    for (let done = 1; ; done++) {
      const step = work.next();
      if (step.done === true) return step.value;
      report(done);
      yield;
    }
  } finally {
    work.return(undefined as T); // frees what it holds where it was ended early
  }
}

/** The same pieces; their lines are reported. */
export async function* reportedLines(
  pieces: Iterable<string> | AsyncIterable<string>,
  report: (done: number) => void,
): AsyncGenerator<string> {
  let lines = 0;
  for await (const piece of pieces) {
    yield piece;
    lines += piece.split("\n").length - 1;
    report(lines);
  }
}
