/** Measures what rows of the target table or bars need, and nothing else: one run for each suite and kind of server. */
import { measure, type Measured } from "../rounds.ts";
import { SUITES } from "../suites/all.ts";
import { present, targetNamed } from "../targets.ts";

/** What one row or bar wants to know. */
export interface Want {
  suite: string;
  figures: readonly string[];
  targets: readonly string[];
}

export interface How {
  quick: boolean;
  limit: number;
  rounds(suite: string): number;
  say?(text: string): void;
  /** Called after each run with the results so far, so that an interruption loses little. */
  keep?(measured: readonly Measured[]): void;
}

export async function measureWanted(wants: readonly Want[], { quick, limit, rounds, say, keep }: How): Promise<Measured[]> {
  const groups = Map.groupBy(wants, ({ suite, targets }) => `${suite} ${targetNamed(targets[0] ?? "").kind}`);
  const measured: Measured[] = [];
  for (const [label, group] of groups) {
    const name = group[0]?.suite ?? "";
    const suite = SUITES.get(name);
    if (suite === undefined) throw new Error(`unknown suite: ${name}`);
    const targets = present([...new Set(group.flatMap((want) => want.targets))].map(targetNamed));
    const figures = new Set(group.flatMap((want) => want.figures));
    say?.(`${label}: ${targets.map((target) => target.name).join(", ")}`);
    const wanted = (figure: string): boolean => figures.has(figure);
    if (targets.length === 0) continue;
    measured.push(await measure({ name, suite, targets, rounds: rounds(name), quick, limit, wanted }));
    keep?.(measured);
  }
  return measured;
}
