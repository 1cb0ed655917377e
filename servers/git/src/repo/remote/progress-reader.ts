// Reads the progress that git prints on stderr, such as "Receiving objects:  45% (9/20)".

export type ReportProgress = (done: number, message: string) => void;

const MAX_LINE_LENGTH = 1000;
const PROGRESS_LINE = /^(?:remote: )?([A-Z][A-Za-z ]+):\s+(\d+)%/;

/** Returns a receiver for chunks of stderr. Each stage of git begins at zero; the reported value only rises. */
export function progressReader(report: ReportProgress): (chunk: Buffer) => void {
  let rest = "";
  let stageStart = 0;
  let lastStage = "";
  let highest = -1;
  return (chunk) => {
    const lines = (rest + chunk.toString()).split(/[\r\n]/);
    rest = (lines.pop() ?? "").slice(-MAX_LINE_LENGTH);
    for (const line of lines) {
      const [, stage, percent] = PROGRESS_LINE.exec(line) ?? [];
      if (stage === undefined) continue;
      if (stage !== lastStage && lastStage !== "") stageStart += 100;
      lastStage = stage;
      const done = stageStart + Number(percent);
      if (done <= highest) continue;
      highest = done;
      report(done, `${stage}: ${percent}%`);
    }
  };
}

export const withoutProgress = (stderr: string): string =>
  stderr
    .split(/[\r\n]+/)
    .filter((line) => !PROGRESS_LINE.test(line))
    .join("\n");
