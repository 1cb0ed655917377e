/** Runs the longest files of each project first, by the stored table, so that no long file is left for one worker at the end. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { readWallTimes } from "../costs.ts";

/**
 * Where files share a worker, those that start processes in each test run before all others: a worker grows from 100 MB to a gigabyte, and
 * each start of a process copies its page tables, 1 ms in a small one and 5 ms at 600 MB.
 */
const MANY_PROCESSES = ["servers/git/", "servers/sqlite/"];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = readWallTimes();
    const rank = ({ moduleId, project }: TestSpecification): readonly [number, number] => {
      const path = relative(this.ctx.config.root, moduleId).replaceAll("\\", "/");
      const area = project.config.isolate ? -1 : MANY_PROCESSES.findIndex((start) => path.startsWith(start));
      return [area === -1 ? MANY_PROCESSES.length : area, -(times.get(path) ?? 0)];
    };
    const ranked = files.map((file) => ({ file, rank: rank(file) }));
    return ranked.toSorted((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1]).map(({ file }) => file);
  }
}
