/** A row of the target table: one figure of ours compared with the floor and the peers. */

export interface Row {
  /** The heading above it. */
  group: string;
  suite: string;
  figure: string;
  /** Ours. */
  of: string;
  /** Omitted: the limit applies to the figure itself. */
  floor?: string;
  /** The limit; omitted: the figure is only shown. */
  bar?: number;
  /** The next aim after the limit. */
  stretch?: number;
  /** Ours to the figure of a peer, by the peer's name. */
  beside?: Readonly<Record<string, number>>;
  /** The figure to measure ours by where it has no such figure, and why it is the nearest one. */
  instead?: { figure: string; why: string };
  /** One of the few that `--quick` measures. */
  quick?: true;
  /** A note for readers of the page. */
  note?: string;
}
