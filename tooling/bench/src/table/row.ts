/** A row of the target table: one figure of ours beside the floor and beside everybody else. */

export interface Row {
  /** The heading it stands under. */
  group: string;
  suite: string;
  figure: string;
  /** Ours. */
  of: string;
  /** Left out: the bar is for the figure itself. */
  floor?: string;
  /** What must hold; left out: it is only shown. */
  bar?: number;
  /** Where to go from there. */
  stretch?: number;
  /** Ours to the figure of a peer, by the peer's name. */
  beside?: Readonly<Record<string, number>>;
  /** What ours is measured by where it has no such figure, and why that is the nearest. */
  instead?: { figure: string; why: string };
  /** One of the few that `--quick` measures. */
  quick?: true;
  /** Anything that a reader has to know. */
  note?: string;
}
