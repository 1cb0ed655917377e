// How often a property is tried, and with which random values.

export interface Repetition {
  readonly numRuns: number;
  /** The same values in each run of the tests; without it, others each time. */
  readonly seed?: number;
}
