/** Runs the most expensive files of each project first, by the stored table of costs, so that no long file is left for one worker at the end. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { readCosts } from "../costs.ts";

export class CostliestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const costs = readCosts();
    const cost = ({ moduleId }: TestSpecification): number =>
      costs.get(relative(this.ctx.config.root, moduleId).replaceAll("\\", "/")) ?? 0;
    return files.toSorted((a, b) => cost(b) - cost(a));
  }
}
