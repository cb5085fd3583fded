/** The first pause before a failed log is tried again, in ms. */
export const FIRST_PAUSE = 500

const LONGEST_PAUSE = 15_000

/** Each pause is twice as long as the one before: a disk may be full for hours. */
export const nextPause = (pause: number): number => Math.min(2 * pause, LONGEST_PAUSE)
