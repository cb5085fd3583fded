import { readdir, readFile } from 'node:fs/promises'
import { AgentFailure } from '@millrace/core/agent'

/** What one run of a program may use. Times are in ms, sizes in bytes. */
export interface ProcessLimits {
  readonly time: number
  /** Without a line, and without an open question. */
  readonly idle: number
  /** Of the whole process group. */
  readonly memory: number
  readonly output: number
  readonly line: number
  /** At the same time. */
  readonly runs: number
}

const SECOND = 1000
const MEGABYTE = 1024 * 1024

export const defaultLimits: ProcessLimits = {
  time: 6 * 3600 * SECOND,
  idle: 30 * 60 * SECOND,
  memory: 4096 * MEGABYTE,
  output: 512 * MEGABYTE,
  line: 16 * MEGABYTE,
  runs: 4,
}

/** All programs of a server together. */
export const MOST_RUNS = 16

const sentences: { readonly [Limit in keyof ProcessLimits]: (name: string, most: string) => string } = {
  time: (name, most) => `${name} ran longer than ${most} and was stopped.`,
  idle: (name, most) => `${name} printed nothing for ${most} and was stopped.`,
  memory: (name, most) => `${name} used more than ${most} of memory and was stopped.`,
  output: (name, most) => `${name} printed more than ${most} and was stopped.`,
  line: (name, most) => `${name} printed a line of more than ${most} and was stopped.`,
  runs: (name, most) => `${most} runs of ${name} are under way; try again when one has ended.`,
}

export function overLimit(name: string, limit: keyof ProcessLimits, limits: ProcessLimits): AgentFailure {
  return new AgentFailure('limit', sentences[limit](name, shown(limit, limits[limit])))
}

function shown(limit: keyof ProcessLimits, value: number): string {
  if (limit === 'runs') return String(value)
  if (limit === 'time' || limit === 'idle')
    return value < 60 * SECOND ? `${value / SECOND} s` : `${value / 60 / SECOND} min`
  return value < MEGABYTE ? `${value} bytes` : `${Math.round(value / MEGABYTE)} MB`
}

export interface WatchOptions {
  readonly name: string
  readonly limits: ProcessLimits
  readonly group: number
  /** Whether a person is awaited: that is not idleness. */
  isAsking(): boolean
  onOver(failure: AgentFailure): void
}

export interface ProcessWatch {
  /** The program has printed so many bytes. */
  note(bytes: number): void
  /** The largest memory that was seen, in bytes; 0 where it cannot be measured. */
  peakMemory(): number
  close(): void
}

const POLL = 2 * SECOND

/** Calls `onOver` once, for the first limit that is passed. */
export function watchLimits({ name, limits, group, isAsking, onOver }: WatchOptions): ProcessWatch {
  let lastOutput = Date.now()
  let output = 0
  let peak = 0
  let isOver = false

  function pass(limit: keyof ProcessLimits): void {
    if (isOver) return
    isOver = true
    onOver(overLimit(name, limit, limits))
  }

  async function look(): Promise<void> {
    const memory = await groupMemory(group)
    peak = Math.max(peak, memory)
    if (isAsking()) lastOutput = Date.now()
    if (memory > limits.memory) pass('memory')
    else if (Date.now() - lastOutput > limits.idle) pass('idle')
  }

  const timer = setInterval(() => void look(), Math.min(POLL, limits.idle))
  const end = setTimeout(() => pass('time'), Math.min(limits.time, 2 ** 31 - 1))
  for (const each of [timer, end]) each.unref()
  return {
    note(bytes) {
      lastOutput = Date.now()
      output += bytes
      if (output > limits.output) pass('output')
    },
    peakMemory: () => peak,
    close() {
      clearInterval(timer)
      clearTimeout(end)
      isOver = true
    },
  }
}

const PAGE = 4096

/** The resident memory of a process group; 0 on a system without `/proc`. */
async function groupMemory(group: number): Promise<number> {
  const names = await readdir('/proc').catch(() => [])
  const sizes = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
        // The name of a program may contain spaces and parentheses.
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return Number(fields[2]) === group ? Number(fields[21]) * PAGE : 0
      }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
