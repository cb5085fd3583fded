import type { Reason } from '../unneeded.ts'

/** What all parsers share. */
export const reasons: readonly Reason[] = []
