import { readdirSync, readFileSync } from 'node:fs'

/** Ends a process group. */
export function killGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {
    // Nobody is left in it.
  }
}

/** A process may fork while it is searched for. */
const MOST_ROUNDS = 20

/**
 * Ends the processes that carry the mark, also those that left the group. A process that overwrites its own environment is
 * not found; on a system without `/proc` none is.
 */
export function killMarked(mark: string): void {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = markedProcesses(mark)
    if (found.length === 0) return
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
  }
}

export function markedProcesses(mark: string): readonly number[] {
  return processIds().filter((pid) => pid !== process.pid && variablesOf(pid).includes(mark))
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  } catch {
    return []
  }
}

/** Empty for a process of somebody else, and for one that has ended. */
function variablesOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
  } catch {
    return []
  }
}
