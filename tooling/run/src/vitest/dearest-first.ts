/** Runs the dearest files of each project first, by the stored table of costs, so that no long file is left for one worker at the end. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { readCosts } from "../costs.ts";

export class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const costs = readCosts();
    const cost = ({ moduleId }: TestSpecification): number => costs.get(relative(this.ctx.config.root, moduleId)) ?? 0;
    const order = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    return files.toSorted((a, b) => order(a) - order(b) || cost(b) - cost(a));
  }
}
