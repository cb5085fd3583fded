import { type ChatEvent, fold } from '@millrace/core/fold'
import { getParser } from '@millrace/core/parse'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import { htmlOf, wordsOf } from './html.ts'

/** The chat events of a recording. */
function recorded(format: string, name: string): readonly ChatEvent[] {
  const recording = fixturesOf(format).find((each) => each.name.startsWith(`${format}/${name}.`))
  return fold(entriesOf(eventsOf(getParser(format), recording?.records ?? []))).chatEvents
}

/** The chat events of values of a format. */
const folded = (format: string, values: readonly object[]) =>
  fold(entriesOf(eventsOf(getParser(format), values.map((value) => ({ value, text: JSON.stringify(value) })) as never)))
    .chatEvents

/** Everything is unfolded. */
const toggles = { get: () => true, set: () => {}, subscribe: () => () => {} }

const drawn = (events: readonly ChatEvent[]) => events.map((event) => htmlOf(event, { toggles })).join('')

/** The cards and the prose that are drawn, in whatever state. */
const componentsIn = (html: string) =>
  [...new Set(html.match(/class="mr-(?:card mr-[a-z]+|prose)/g))]
    .map((found) => found.slice('class="'.length))
    .toSorted()

describe('what the five documents ask of the views', () => {
  it('S1-3: a tool’s progress and result of a new kind stream and are drawn by the card that all tools have', () => {
    const toolName = 'sonar'
    const html = drawn(
      folded('agent-event', [
        { type: 'tool_call', toolName, toolArgs: '{"depth":4}' },
        {
          type: 'tool_progress',
          toolName,
          data: {
            subtype: 'echo_map',
            cells: [
              [1, 2],
              [3, 4],
            ],
          },
        },
        { type: 'tool_result', toolName, output: '{"map":"drawn"}' },
        { type: 'final' },
      ]),
    )
    expect(html).toContain('mr-tool')
    for (const word of ['sonar', 'echo_map', 'drawn']) expect(wordsOf(html)).toContain(word)
  })

  it('S2-36, S2-37: a plan has its label, and is drawn as Markdown', () => {
    const plan = '1. Ask for the **tide**.\n2. Answer.'
    const values =
      fixturesOf('smolagents').find(({ name }) => name === 'smolagents/planning-whole.jsonl')?.records ?? []
    const [first] = values.map(({ value }) => value as { model_output_message: object })
    const step = { ...first, plan, model_output_message: { ...first?.model_output_message, content: plan } }
    const html = drawn(folded('smolagents', [step]))
    expect(wordsOf(html)).toContain('a plan')
    expect(html).toContain('<strong>tide</strong>')
    expect(html.match(/<li/g)).toHaveLength(2)
  })

  it('S3-1, S3-57: the same answer of three providers is drawn by the same components', () => {
    const formats = ['anthropic-messages', 'openai-chat', 'openai-responses']
    const [one, ...others] = formats.map((format) => componentsIn(drawn(recorded(format, 'scenario'))))
    expect(one).toEqual(expect.arrayContaining(['mr-card mr-tool', 'mr-prose']))
    // Not every provider has thoughts, or a tool that is a subagent.
    const own = (components: readonly string[] = []) =>
      components.filter((name) => name !== 'mr-card mr-thinking' && name !== 'mr-card mr-subagent')
    for (const other of others) expect(own(other)).toEqual(own(one))
  })

  it('S0-111, S0-112: processing that is over has a check, thinking a brain', () => {
    const html = drawn(
      folded('agent-lines', [
        { type: 'status', data: { message: 'Looking' } },
        { type: 'think', data: { thought: 'One table is enough.' } },
        { type: 'text', data: { content: 'Done.' } },
        { type: 'done', data: {} },
      ]),
    )
    const iconIn = (className: string) =>
      new RegExp(`class="[^"]*${className}[^"]*".*?<svg[^>]*>(.*?)</svg>`, 's').exec(html)?.[1]
    expect(iconIn('mr-processing')).toBeDefined()
    expect(iconIn('mr-thinking')).toBeDefined()
    expect(iconIn('mr-processing')).not.toBe(iconIn('mr-thinking'))
  })
})
