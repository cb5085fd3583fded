const FIRST_WAIT = 500

/** The longest wait between two attempts, and how long a connection must have lasted to count as a good one. */
export const LONGEST_WAIT = 10_000

/** How long to wait after the n-th wait's failure, n from 1: twice as long each time, and never in step with others. */
export function backoff(wait: number, random: () => number): number {
  const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(wait - 1, 16))
  return Math.round(most * (0.5 + random() / 2))
}
