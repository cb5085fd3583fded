import { runPasses } from '@millrace/testkit/runs'
import { expect, it } from 'vitest'
import type { StreamEvent } from '../../events.ts'
import { balance } from '../balance.ts'

const call = (callId: string, parentCallId?: string): readonly StreamEvent[] => [
  { type: 'tool-start', callId, name: 'ls', runBy: 'agent', ...(parentCallId !== undefined && { parentCallId }) },
  { type: 'tool-input', callId, input: {} },
]
const output = (callId: string): StreamEvent => ({ type: 'tool-output', callId, status: 'ok', output: 'x' })

it('a nested call names its parent as it was emitted, also if the parent reused an id', () => {
  const events: readonly StreamEvent[] = [
    ...call('outer'),
    ...call('inner 1', 'outer'),
    output('inner 1'),
    output('outer'),
    ...call('outer'),
    ...call('inner 2', 'outer'),
    output('inner 2'),
    ...call('inner 2', 'outer'),
    output('inner 2'),
    output('outer'),
  ]
  const starts = runPasses([balance], events).flatMap((event) =>
    event.type === 'tool-start' ? [[event.callId, event.parentCallId]] : [],
  )
  expect(starts).toEqual([
    ['outer', undefined],
    ['inner 1', 'outer'],
    ['outer~2', undefined],
    ['inner 2', 'outer~2'],
    ['inner 2~2', 'outer~2'],
  ])
})
