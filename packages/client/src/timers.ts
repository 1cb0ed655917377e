// The limit of timers.

/** The longest delay of a timer, in milliseconds. Beyond it, the platform fires the timer at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
