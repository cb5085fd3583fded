import { readFileSync } from 'node:fs'
import type { ChatEvent } from '@millrace/core/fold/shapes'
import { wires } from '@millrace/core/wire'
import { describe, expect, it } from 'vitest'
import { linesOf, millrace, temporaryFolder } from './command.ts'
import { agentLines, anthropicLines, anthropicSse, longAnthropicLines } from './streams.ts'

const folder = temporaryFolder()
const sse = folder.file('answer.sse', anthropicSse)
const lines = folder.file('answer.jsonl', anthropicLines)
const stdoutLines = folder.file('harbour.jsonl', agentLines)

async function converted(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await millrace(['convert', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

const textsOf = (stdout: string) =>
  (JSON.parse(stdout) as ChatEvent[]).map(({ segments }) =>
    segments.flatMap((segment) => ('text' in segment ? [`${segment.type}: ${segment.text}`] : [])),
  )

describe('convert', () => {
  it('writes events as JSON lines from run-start to run-end', async () => {
    const events = linesOf(await converted(sse, '--from', 'anthropic-messages', '--to', 'events'))
    expect(events[0]).toMatchObject({ type: 'run-start' })
    expect(events.at(-1)).toMatchObject({ type: 'run-end', outcome: 'success' })
    expect(events.filter(({ type }) => type === 'block-delta').map(({ text }) => text)).toEqual([
      'The moon, mostly.',
      'The moon ',
      'pulls the sea.',
    ])
  })

  it('writes chat events as one JSON array, with the run called `run`', async () => {
    const stdout = await converted(sse, '--to', 'chat-events')
    expect(textsOf(stdout)).toEqual([['reasoning: The moon, mostly.', 'text: The moon pulls the sea.']])
    expect(JSON.parse(stdout)).toMatchObject([{ runId: 'run', role: 'assistant', state: 'done' }])
  })

  it('writes the timeline as one JSON array', async () => {
    const items = JSON.parse(await converted(sse, '--to', 'timeline')) as { type: string }[]
    expect(items.map(({ type }) => type)).toEqual(['thinking', 'agent_message'])
  })

  it.each(Object.keys(wires))('writes the wire %s as JSON lines, one chunk per line', async (wire) => {
    expect(linesOf(await converted(sse, '--to', wire)).length).toBeGreaterThan(3)
  })

  it('writes the ai-sdk wire from start to finish, without a terminator', async () => {
    const chunks = linesOf(await converted(sse, '--to', 'ai-sdk'))
    expect(chunks[0]).toMatchObject({ type: 'start' })
    expect(chunks.at(-1)).toMatchObject({ type: 'finish' })
  })

  it('frames a wire as server-sent events and ends it with its terminator, with --sse', async () => {
    const chunks = linesOf(await converted(sse, '--to', 'ai-sdk'))
    const framed = await converted(sse, '--to', 'ai-sdk', '--sse')
    expect(framed).toBe(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`)
  })

  it('stamps the native wire from its input alone, counting the records read', async () => {
    const entries = linesOf(await converted(lines, '--to', 'native'))
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
    expect(entries.every(({ at }) => at === 0)).toBe(true)
    expect(entries.at(-1)).toMatchObject({ rawThrough: 11 })
  })

  it('gives the same output for server-sent events and JSON lines, detected or named', async () => {
    const expected = await converted(sse, '--to', 'events')
    expect(await converted(lines, '--to', 'events')).toBe(expected)
    expect(await converted(lines, '--from', 'auto', '--framing', 'json-lines', '--to', 'events')).toBe(expected)
    expect(await converted(sse, '--from', 'anthropic-messages', '--framing', 'sse', '--to', 'events')).toBe(expected)
  })

  it('loses none of the records that detection has read', async () => {
    const long = folder.file('long.jsonl', [...longAnthropicLines(200, 'wave ')].join(''))
    const detected = await converted(long, '--to', 'chat-events')
    expect(detected).toBe(await converted(long, '--from', 'anthropic-messages', '--to', 'chat-events'))
    expect(textsOf(detected)[0]).toContain(`text: ${'wave '.repeat(200)}`)
  })

  it('detects the lines that an agent prints', async () => {
    expect(textsOf(await converted(stdoutLines, '--to', 'chat-events')).flat()).toContain(
      'text: Four fathoms at low water.',
    )
  })

  it('accepts an alias for each format that it stands for', async () => {
    const aliased = await Promise.all(
      [sse, stdoutLines].map((path) => converted(path, '--from', 'claude', '--to', 'events')),
    )
    const named = await Promise.all([
      converted(sse, '--from', 'anthropic-messages', '--to', 'events'),
      converted(stdoutLines, '--from', 'agent-lines', '--to', 'events'),
    ])
    expect(aliased).toEqual(named)
  })

  it('passes a profile on to the wire', async () => {
    const plain = await converted(stdoutLines, '--to', 'ai-sdk')
    const mobox = await converted(stdoutLines, '--to', 'ai-sdk', '--profile', 'mobox')
    expect(mobox).not.toBe(plain)
  })

  it('reads a whole input as one frame with --framing json-frames', async () => {
    const record = JSON.stringify({ type: 'text', data: { content: 'One\nframe.' } }, undefined, 2)
    const { code, stdout } = await millrace(
      ['convert', '--from', 'agent-lines', '--framing', 'json-frames', '--to', 'chat-events'],
      { stdin: record },
    )
    expect({ code, texts: textsOf(stdout) }).toEqual({ code: 0, texts: [['text: One\nframe.']] })
  })

  it.each([[['convert', '--to', 'events']], [['convert', '-', '--to', 'events']]])(
    'reads stdin for %j',
    async (args) => {
      const piped = await millrace(args, { stdin: anthropicSse })
      expect(piped).toEqual({ code: 0, stderr: '', stdout: await converted(sse, '--to', 'events') })
    },
  )

  it('writes to a file with -o, and nothing to stdout', async () => {
    const path = folder.path('out.jsonl')
    expect(await converted(sse, '--to', 'events', '-o', path)).toBe('')
    expect(readFileSync(path, 'utf8')).toBe(await converted(sse, '--to', 'events'))
  })
})
