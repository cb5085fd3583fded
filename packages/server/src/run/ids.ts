import { randomBytes } from 'node:crypto'

/** 144 random bits: nobody guesses a run or a thread. */
const mint = (prefix: string) => `${prefix}_${randomBytes(18).toString('base64url')}`

export const mintRunId = (): string => mint('run')
export const mintThreadId = (): string => mint('thr')
