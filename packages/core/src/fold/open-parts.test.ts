import { parsers } from '@millrace/core/parse'
import { createReader } from '@millrace/core/read'
import { recordOf } from '@millrace/core/source/source'
import { entriesOf } from '@millrace/testkit/runs'
import { expect, it } from 'vitest'
import type { StreamEvent } from '../events.ts'
import { createFold } from './fold.ts'
import { openPartsOf } from './open-parts.ts'

/** What is open after each of these lines, and at the end. */
function openAfterEach(lines: readonly object[]): readonly string[] {
  const reader = createReader(parsers['agent-lines'])
  const fold = createFold({ runId: 'run' })
  const events: StreamEvent[] = []
  const openAfter = (more: readonly StreamEvent[]) => {
    fold.push(entriesOf([...events, ...more]).slice(events.length))
    events.push(...more)
    const open = openPartsOf(fold.snapshot().chatEvents)
    return open.map(({ kind, name }) => (name === undefined ? kind : `${kind} ${name}`)).join(', ')
  }
  return [...lines.map((line) => openAfter(reader.push(recordOf(JSON.stringify(line))))), openAfter(reader.end())]
}

const line = (type: string, data: object) => ({ type, data })

it('S0-131: the open blocks of a run are listed while it streams, and none is left at its end', () => {
  const lines = [
    line('text', { content: 'First the tide.' }),
    line('tool_use', { id: 'a', name: 'Bash', input: { command: 'ls' } }),
    line('tool_use', { id: 'b', name: 'Read', input: {} }),
    line('tool_result', { id: 'a', output: 'x' }),
    line('ask', { id: 'q', message: 'May I?' }),
    line('subagent_start', { agent: 'writer', task: 'Write.' }),
    line('subagent_complete', { agent: 'writer', summary: 'Written.' }),
    line('done', {}),
  ]
  expect(openAfterEach(lines)).toEqual([
    'message, text',
    'message, call Bash',
    'message, call Bash, call Read',
    'message, call Read',
    'message, call Read, question',
    'message, call Read, question, subagent writer',
    'message, call Read, question',
    'message, call Read, question',
    '',
  ])
})
