// A worker that evaluates the bundle with one change at a time and says whether a recording of the format shows it.

import { parentPort, workerData } from 'node:worker_threads'
import type { Parser } from '@millrace/core/parse/parser'
import type { createReader } from '@millrace/core/read'
import { fixturesOf, type Recording } from '@millrace/testkit/fixtures'
import type { Change } from './changes.ts'

export interface Order {
  readonly format: string
  readonly code: string
  readonly changes: readonly Change[]
}

interface Subject {
  readonly createReader: typeof createReader
  readonly [name: string]: unknown
}

function evaluate(code: string): (recording: Recording) => string {
  const subject = {} as Subject
  new Function('exports', code)(subject)
  const parser = Object.values(subject).find(isParser)
  if (parser === undefined) return () => 'no parser'
  return ({ records }) => {
    const reader = subject.createReader(parser)
    const events = [...records.flatMap((record) => reader.push(record)), ...reader.end()]
    return JSON.stringify([events, records.map(parser.recognize)])
  }
}

const isParser = (value: unknown): value is Parser => typeof (value as Partial<Parser> | null)?.recognize === 'function'

const { format, code, changes } = workerData as Order
const read = evaluate(code)
const recordings = fixturesOf(format).map((recording) => ({ recording, expected: read(recording) }))

function isSeen({ start, end, text }: Change): boolean {
  try {
    const readChanged = evaluate(code.slice(0, start) + text + code.slice(end))
    return recordings.some(({ recording, expected }) => readChanged(recording) !== expected)
  } catch {
    return true
  }
}

parentPort?.on('message', (index: number) => {
  const change = changes[index]
  parentPort?.postMessage(change === undefined || isSeen(change))
})
