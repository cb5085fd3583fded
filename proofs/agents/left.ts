import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long a process of a run may be seen after the run has ended, in ms. */
const GRACE = 4000

/** The processes whose environment has the variable and the value, once they had time to end. */
export async function leftProcesses(variable: string): Promise<readonly string[]> {
  const end = Date.now() + GRACE
  let left = processesWith(variable)
  while (left.length > 0 && Date.now() < end) {
    await sleep(50)
    left = processesWith(variable)
  }
  return left
}

function processesWith(variable: string): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const isOne = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(variable)
      return isOne ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')] : []
    } catch {
      // It has ended, or belongs to somebody else.
      return []
    }
  })
}

/** File systems that a program may write to. Each is searched on its own. */
const ROOTS = ['/', '/tmp', '/dev/shm', '/run']

/** So many are named. */
const MOST_NAMED = 10

/** The files of a group that are in none of the folders. */
export function filesOutside(group: number, folders: readonly string[]): readonly string[] {
  const skipped = ['/proc', '/sys', ...folders].flatMap((folder) => ['-path', folder, '-prune', '-o'])
  const args = [...ROOTS, '-xdev', ...skipped, '-gid', String(group), '-print']
  const { stdout } = spawnSync('find', args, { encoding: 'utf8', maxBuffer: 1 << 26 })
  return [...new Set(stdout.split('\n').filter((path) => path !== ''))].slice(0, MOST_NAMED)
}
