import { expect, it } from 'vitest'
import type { StreamEvent } from '../../events.ts'
import { fold } from '../fold.ts'
import type { Segment, SubagentSegment } from '../shapes.ts'
import { createPieceEntries } from './piece-entries.ts'

const agentId = 'outer'
const events: readonly StreamEvent[] = [
  { type: 'run-start' },
  { type: 'message-start', messageId: 'm', role: 'assistant' },
  { type: 'tool-start', callId: 'task', name: 'Task', runBy: 'agent' },
  { type: 'subagent-start', agentId, name: 'outer', callId: 'task' },
  { type: 'subagent-start', agentId: 'inner', name: 'inner', parentAgentId: agentId },
  { type: 'block-start', blockId: 'b', kind: 'text', agentId: 'inner' },
  { type: 'usage', scope: 'step', mode: 'add', inputTokens: 3 },
  { type: 'block-delta', blockId: 'b', text: 'Slack water', agentId: 'inner' },
  { type: 'tool-output', callId: 'task', status: 'ok', output: '' },
]
const entries = events.map((event, index) => ({ seq: index + 1, at: index, event, rawThrough: index }))

it('are those that began or changed a segment, and of a subagent those of what it contains at any depth', () => {
  const pieces = createPieceEntries()
  pieces.push(entries)
  const [tool, outer] = fold(entries).chatEvents.flatMap(({ segments }) => segments) as [Segment, SubagentSegment]
  const inner = outer.segments[0] as SubagentSegment
  expect(pieces.entriesOf(tool)).toEqual([3, 4, 9])
  expect(pieces.entriesOf(outer)).toEqual([4, 5, 6, 8])
  expect(pieces.entriesOf(inner)).toEqual([5, 6, 8])
  expect([4, 7, 8].map(pieces.piecesOf)).toEqual([[4, 3], [], [6]])
})
