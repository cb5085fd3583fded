import { createInterface } from 'node:readline'
import { killGroup, killMarked } from './marked.ts'

/** The program of the warden: reads which groups run, and ends them when the server is gone. */
const marks = new Map<number, string>()

for await (const line of createInterface({ input: process.stdin })) {
  const { group, mark } = JSON.parse(line) as { readonly group: number; readonly mark?: string }
  if (mark === undefined) marks.delete(group)
  else marks.set(group, mark)
}

for (const [group, mark] of marks) {
  killGroup(group, 'SIGKILL')
  killMarked(mark)
}
