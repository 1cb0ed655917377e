/** Growth of CPU time: the time of this thread for n and for 4 n in turn, the best of several pairs. */

/** Work that is ready to be measured; its preparation does not count. */
export interface Prepared {
  act(): unknown;
  /** Cleans up; not measured. */
  end?(): unknown;
}

export type Prepare = (size: number) => Prepared | Promise<Prepared>;

/** Four times the work takes 4 times as long, with garbage collection on a busy machine up to 7.3 times; quadratic work takes 16 times. */
export const LINEAR = 8;
/** Constant work, whatever surrounds it. */
export const CONSTANT = 1.6;

const LEAST_PAIRS = 2;
/** Used only near the bound or beyond it. */
const MOST_PAIRS = 8;
/** The clock has steps of up to 4 ms, so the smaller work is repeated until it takes several steps. */
const LEAST_MS = 20;
const MOST_REPEATS = 500;

export interface Growth {
  /** CPU for 4 n as a multiple of that for n. */
  times: number;
  /** Milliseconds for n, repeats included. */
  ms: number;
}

export type Clock = () => number;

/** Milliseconds of CPU that this thread has used. */
const threadCpu: Clock = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

export async function growthOf(prepare: Prepare, size: number, bound = LINEAR, clock = threadCpu): Promise<Growth> {
  let repeats = 1;
  const spent = async (at: number): Promise<number> => {
    const all: Prepared[] = [];
    for (let one = 0; one < repeats; one++) all.push(await prepare(at));
    const from = clock();
    for (const { act } of all) await act();
    const ms = clock() - from;
    for (const { end } of all) await end?.();
    return ms;
  };
  // Cold code is slow, so its time must not decide the number of repeats.
  for (let warm = 0; warm < 2; warm++) await spent(size);
  for (let ms = await spent(size); ms < LEAST_MS && repeats < MOST_REPEATS; ms = await spent(size)) repeats = more(repeats, ms);
  for (;;) {
    let [once, fourTimes] = [Infinity, Infinity];
    for (let pair = 1; pair <= MOST_PAIRS; pair++) {
      once = Math.min(once, await spent(size));
      fourTimes = Math.min(fourTimes, await spent(4 * size));
      if (pair >= LEAST_PAIRS && fourTimes <= bound * once) break;
    }
    // Other processes may have taken the time that the number of repeats is based on.
    if (once >= LEAST_MS / 2 || repeats === MOST_REPEATS) return { times: fourTimes / once, ms: once };
    repeats = more(repeats, once);
  }
}

/** A larger number of repeats, given that `repeats` took `ms`. */
const more = (repeats: number, ms: number): number =>
  Math.min(MOST_REPEATS, Math.ceil(repeats * Math.min(8, (1.3 * LEAST_MS) / Math.max(ms, 1))));
