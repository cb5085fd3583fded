import type { ReasoningSegment, StatusSegment, TodosSegment } from '@millrace/core/fold/shapes'
import { NOW, timed } from './make.ts'

export function status(messages: readonly string[], agoMs: number, tookMs?: number): StatusSegment {
  const times = timed(agoMs, tookMs)
  const step = (tookMs ?? agoMs) / messages.length
  const lines = messages.map((text, index) => ({
    message: text,
    level: 'info' as const,
    at: Math.round(times.startedAt + 900 * (index > 0 ? 1 : 0) + step * index),
  }))
  return { type: 'status', lines, ...times }
}

export function thought(text: string, agoMs: number, tookMs?: number): ReasoningSegment {
  const times = timed(agoMs, tookMs)
  return {
    type: 'reasoning',
    id: `thought-${times.seqs[0]}`,
    text,
    state: tookMs === undefined ? 'live' : 'done',
    ...times,
  }
}

export const boot = [
  'Sandbox ready · node 24.1, 2 vCPU',
  'Loaded project rules',
  'Indexed 214 files',
  '3 servers connected',
]

export const warned: StatusSegment = {
  type: 'status',
  lines: [
    { message: 'Sandbox ready', level: 'info', at: NOW - 3000 },
    { message: 'Lock file is older than the manifest', level: 'warn', at: NOW - 2000 },
    { message: 'Server “search” did not answer', level: 'error', at: NOW - 1000 },
  ],
  ...timed(3000),
}

export const hidden: ReasoningSegment = { ...thought('', 20_000, 9000), variant: 'redacted', encrypted: 'AAAA' }

export function plan(done: number, current: boolean): TodosSegment {
  const steps = [
    'Find where the stream goes quiet',
    'Send a comment line after 15 s of silence',
    'Write a test that fails on the old code',
    'Run the whole suite behind a real nginx',
    'Restart the staging proxy',
  ]
  const items = steps.map((content, index) => ({
    id: String(index + 1),
    content,
    status:
      index < done
        ? ('completed' as const)
        : index === done && current
          ? ('in_progress' as const)
          : ('pending' as const),
  }))
  return { type: 'todos', listId: `plan-${done}`, items, ...timed(30_000, 1000) }
}
