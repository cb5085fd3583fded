import type { ServerProcess } from './server-process.ts'

const EVERY = 20

export interface MemoryRecord {
  /** How far the process grew above its size at the start, in MB; undefined if the system does not report it. */
  growth(): number | undefined
  /** The size of the process at its largest, in MB. */
  most(): number | undefined
  stop(): void
}

/** Samples a process's memory until it is stopped. */
export function recordMemory(server: ServerProcess): MemoryRecord {
  const start = server.memory()
  let most = start ?? 0
  const look = () => {
    most = Math.max(most, server.memory() ?? 0)
  }
  const timer = setInterval(look, EVERY)
  return {
    growth() {
      look()
      return start === undefined ? undefined : most - start
    },
    most: () => (start === undefined ? undefined : most),
    stop: () => clearInterval(timer),
  }
}

export const megabytes = (amount: number | undefined): string =>
  amount === undefined ? 'not measured' : `${amount.toFixed(amount < 10 ? 1 : 0)} MB`

/** The problem if more memory was used than allowed. */
export function tooMuch(what: string, used: number | undefined, most: number): readonly string[] {
  return used === undefined || used <= most ? [] : [`${what}: ${megabytes(used)}, more than ${megabytes(most)}`]
}
