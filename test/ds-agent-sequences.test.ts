import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parsers } from '@millrace/core/parse'
import { eventsOf } from '@millrace/testkit/read-recording'
import { describe, expect, it } from 'vitest'
import { dsAgentMessages, readDsAgent } from '../proofs/wires/readers/ds-agent.ts'
import type { DsAgentMessage } from '../proofs/wires/readers/ds-agent-shape.ts'
import { streamedRun, wholeRun } from './ds-agent-records.ts'

const folder = join(import.meta.dirname, 'goldens/ds-agent')

const whole = dsAgentMessages(eventsOf(parsers.smolagents, wholeRun))
const streamed = dsAgentMessages(eventsOf(parsers.smolagents, streamedRun))

const ofStep = (messages: readonly DsAgentMessage[], type: string, number: number) =>
  messages.filter(({ metadata }) => metadata.step_type === type && metadata.step_number === number)

/** The type and the component of each message, one line for each id. */
const linesOf = (messages: readonly DsAgentMessage[]) =>
  readDsAgent(messages)
    .messages()
    .map(({ metadata }) => `${metadata.message_type} → ${metadata.component}`)

/** Golden files are read like code. A missing one is written, but never by continuous integration. */
function expectGolden(name: string, messages: readonly DsAgentMessage[]): void {
  const path = join(folder, `${name}.jsonl`)
  const bytes = messages.map((message) => `${JSON.stringify(message)}\n`).join('')
  if (!existsSync(path) && process.env.CI === undefined) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, bytes)
  }
  expect(bytes).toBe(readFileSync(path, 'utf8'))
}

const planning = ['planning_header → chat', 'planning_content → chat', 'planning_footer → chat', 'separator → chat']
const action = (pane: string) => [
  'action_header → chat',
  'action_thought → chat',
  'tool_call → chat',
  `tool_invocation → ${pane}`,
  'observation → terminal',
  'action_footer → chat',
  'separator → chat',
]

describe.each([
  ['whole', whole],
  ['streamed', streamed],
])('the messages of a run, %s', (mode, messages) => {
  it.each([
    ['S2-27', 'planning', 'planning', 1, planning],
    ['S2-28', 'python', 'action', 1, action('webide')],
    ['S2-29', 'search', 'action', 2, action('chat')],
    ['S2-30', 'final-answer', 'final_answer', 2, ['final_answer → chat']],
  ])('%s: are exactly these, to the byte: %s', (_id, name, type, number, lines) => {
    const sequence = ofStep(messages, type, number)
    expect(linesOf(sequence)).toEqual(lines)
    expectGolden(`${name}-${mode}`, sequence)
  })

  it('S2-27, S2-28, S2-29, S2-30: are the only messages', () => {
    expect(linesOf(messages)).toEqual([...planning, ...action('webide'), ...action('chat'), 'final_answer → chat'])
  })
})

it('S2-11: sends a whole message once, and a streamed one in phases', () => {
  expect(whole).toHaveLength(19)
  const phases = streamed.filter(({ metadata }) => metadata.stream_id !== undefined)
  expect(phases).toHaveLength(3 * 4)
})

it('S2-10: leaves a client with the same text, streamed or not', () => {
  const shownIn = (messages: readonly DsAgentMessage[]) =>
    readDsAgent(messages)
      .messages()
      .map(({ content }) => content)
  expect(shownIn(streamed)).toEqual(shownIn(whole))
})
