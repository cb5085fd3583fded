import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { killGroup, killMarked } from './marked.ts'

interface Message {
  readonly mark: string
  readonly group?: number
  readonly isReleased?: boolean
}

/** The program of the warden: reads which processes run, and ends them when the server is gone. */
const groups = new Map<string, number | undefined>()

for await (const line of createInterface({ input: process.stdin })) {
  const { mark, group, isReleased } = JSON.parse(line) as Message
  if (isReleased) groups.delete(mark)
  else groups.set(mark, group)
}

/** A process that was being started when the server died has its mark a moment later, in ms. */
const SEARCHES = [0, 200, 800, 1500]

for (const pause of SEARCHES) {
  await setTimeout(pause)
  for (const [mark, group] of groups) {
    if (group !== undefined && pause === 0) killGroup(group, 'SIGKILL')
    killMarked(mark)
  }
}
