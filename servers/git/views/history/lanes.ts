// The lanes of a commit graph: each branch of the history keeps a lane from its newest commit to where it joins another one.

export interface Node {
  readonly hash: string;
  readonly parents: readonly string[];
}

/** A line between two rows: from a lane of this row to a lane of the next one. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  /** The lane whose color the line has. */
  readonly lane: number;
}

export interface GraphRow {
  readonly lane: number;
  /** Lines to the next row. */
  readonly edges: readonly Edge[];
}

/** Lays out commits, each before its parents, in the order in which they come. Pages are handed in one after another. */
export class LaneLayout {
  /** The commit that each lane leads to; undefined where a lane is free. */
  #lanes: (string | undefined)[] = [];

  add(commits: readonly Node[]): GraphRow[] {
    return commits.map((commit) => this.#place(commit));
  }

  #place({ hash, parents }: Node): GraphRow {
    const before = this.#lanes;
    const known = before.indexOf(hash);
    const lane = known === -1 ? this.#freeLane(before) : known;
    // Lanes that lead to this commit end here.
    const after = before.map((wanted) => (wanted === hash ? undefined : wanted));
    const edges: Edge[] = [];
    for (const [index, parent] of parents.entries()) {
      const existing = after.indexOf(parent);
      const to = existing === -1 ? (index === 0 ? lane : this.#freeLane(after)) : existing;
      after[to] = parent;
      edges.push({ from: lane, to, lane: index === 0 ? lane : to });
    }
    for (const [index, wanted] of before.entries())
      if (wanted !== undefined && wanted !== hash) edges.push({ from: index, to: index, lane: index });
    while (after.length > 0 && after.at(-1) === undefined) after.pop();
    this.#lanes = after;
    return { lane, edges };
  }

  #freeLane(lanes: readonly (string | undefined)[]): number {
    const free = lanes.indexOf(undefined);
    return free === -1 ? lanes.length : free;
  }
}
