import { readdirSync, readFileSync } from 'node:fs'

/** What a command of an agent gets of the server's environment: enough to find programs and speak a language, no keys. */
const PASSED = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|(?:https?|no|all)_proxy|SSL_CERT_.*)$/i

/** The variable that marks a command and everything it starts. */
const MARK = 'MILLRACE_MARK'

export function commandEnvironment(mark: string): { readonly [name: string]: string } {
  const passed = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && PASSED.test(entry[0]),
  )
  return { ...Object.fromEntries(passed), NO_COLOR: '1', [MARK]: mark }
}

/** Ends a group of processes and, where there is `/proc`, what left the group but still carries the mark. */
export function endAll(group: number, mark: string, signal: 'SIGTERM' | 'SIGKILL'): void {
  end(-group, signal)
  for (const pid of markedProcesses(mark)) end(pid, signal)
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

export function markedProcesses(mark: string): readonly number[] {
  try {
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return ids.filter((id) => environmentOf(id).includes(`${MARK}=${mark}`)).map(Number)
  } catch {
    return []
  }
}

/** Empty for a process of somebody else, and for one that has ended. */
function environmentOf(id: string): readonly string[] {
  try {
    return readFileSync(`/proc/${id}/environ`, 'latin1').split('\0')
  } catch {
    return []
  }
}
