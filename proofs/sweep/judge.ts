// A worker that evaluates a subject with one change at a time and says whether a recording shows it.

import { parentPort, workerData } from 'node:worker_threads'
import type { Change } from './changes.ts'
import { type Exports, subjects } from './subjects.ts'

export interface Order {
  readonly subject: string
  readonly code: string
  readonly changes: readonly Change[]
}

function evaluate(code: string): Exports {
  const exports = {}
  new Function('exports', code)(exports)
  return exports
}

const { subject: name, code, changes } = workerData as Order
const subject = subjects.find((one) => one.name === name)
const original = evaluate(code)
let views = (subject?.views() ?? []).map((view) => ({ view, expected: view(original) }))

function isSeen({ start, end, text }: Change): boolean {
  try {
    const changed = evaluate(code.slice(0, start) + text + code.slice(end))
    const at = views.findIndex(({ view, expected }) => view(changed) !== expected)
    const [found] = at === -1 ? [] : views.splice(at, 1)
    // The next change is near this one, so the same recording may show it.
    if (found !== undefined) views = [found, ...views]
    return found !== undefined
  } catch {
    return true
  }
}

parentPort?.on('message', (index: number) => {
  const change = changes[index]
  parentPort?.postMessage(change === undefined || isSeen(change))
})
