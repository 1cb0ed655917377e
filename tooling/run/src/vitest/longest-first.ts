/** Runs the longest files of each project first, by the stored table, so that no long file is left for one worker at the end. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { readWallTimes } from "../costs.ts";

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = readWallTimes();
    const time = ({ moduleId }: TestSpecification): number =>
      times.get(relative(this.ctx.config.root, moduleId).replaceAll("\\", "/")) ?? 0;
    return files.toSorted((a, b) => time(b) - time(a));
  }
}
