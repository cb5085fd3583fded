import { stripVTControlCharacters } from 'node:util'
import type { StreamEvent } from '@millrace/core/events'
import { type Loss, lossesOf } from '@millrace/core/losses'
import { createFeatureCounter } from '@millrace/core/meaning/feature-counter'
import { wires } from '@millrace/core/wire'
import { describe, expect, it } from 'vitest'
import { linesOf, millrace, plainEnvironment, temporaryFolder } from './command.ts'
import { agentLines, anthropicLines, jsonLinesOf } from './streams.ts'

const folder = temporaryFolder()
const answer = folder.file('answer.jsonl', anthropicLines)
const harbour = folder.file('harbour.jsonl', `${agentLines}fog\n`)

interface Reported {
  readonly losses: readonly Loss[]
}

describe('convert --report', () => {
  it.each(Object.keys(wires))('names what %s cannot carry of this run and how often it occurs', async (wire) => {
    const { code, stderr } = await millrace(['convert', harbour, '--to', wire, '--report', '--json'])
    const events = linesOf((await millrace(['convert', harbour, '--to', 'events'])).stdout) as unknown as StreamEvent[]
    const featureCounter = createFeatureCounter()
    for (const event of events) featureCounter.note(event)
    const { losses } = wires[wire as keyof typeof wires]
    expect(code).toBe(0)
    expect((linesOf(stderr)[0] as unknown as Reported).losses).toEqual(lossesOf(losses, featureCounter.counts()))
  })

  it('reports a raw record that the wire drops, for people to read', async () => {
    const { stderr, stdout } = await millrace(['convert', harbour, '--to', 'ai-sdk', '--report', '-q'])
    expect(stderr).toMatch(/^ai-sdk cannot carry everything in this run:\n(?: {2}\S+ +\d+ × {2}.+\n)+$/)
    expect(stderr).toMatch(/^ {2}raw +1 × {2}.+$/m)
    expect(stdout).toBe((await millrace(['convert', harbour, '--to', 'ai-sdk'])).stdout)
  })

  it('says so if everything is carried', async () => {
    const { stderr } = await millrace(['convert', answer, '--to', 'events', '--report'])
    expect(stderr).toBe('events carries everything in this run.\n')
  })

  it('styles its answer if colors are enabled, and prints the same text without', async () => {
    const report = ['convert', harbour, '--to', 'timeline', '--report', '-q']
    const painted = await millrace(report, { env: { ...plainEnvironment(), FORCE_COLOR: '1' } })
    const plain = await millrace(report, { env: { ...plainEnvironment(), NO_COLOR: '1' } })
    expect(painted.stderr).not.toBe(plain.stderr)
    expect(stripVTControlCharacters(painted.stderr)).toBe(plain.stderr)
    expect(stripVTControlCharacters(plain.stderr)).toBe(plain.stderr)
  })

  it('is one object with --json, also if -q is passed, which without --report prints nothing', async () => {
    const quiet = ['convert', harbour, '--to', 'ai-sdk', '--json', '-q']
    expect((await millrace(quiet)).stderr).toBe('')
    const reported = linesOf((await millrace([...quiet, '--report'])).stderr) as unknown as Reported[]
    expect(reported).toHaveLength(1)
    expect(reported[0]?.losses).toContainEqual(expect.objectContaining({ feature: 'raw', count: 1 }))
  })

  it('reports what folding leaves out', async () => {
    const { stderr } = await millrace(['convert', harbour, '--to', 'chat-events', '--report', '--json'])
    const [summary] = linesOf(stderr) as unknown as Reported[]
    expect(summary?.losses).toContainEqual(expect.objectContaining({ feature: 'raw', count: 1 }))
  })
})

describe('convert, if a file is too large for an event', () => {
  const content = [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(400_000) }]
  const picture = (id: string) => [
    { type: 'tool_use', data: { id, name: 'screenshot', input: {} } },
    { type: 'tool_result', data: { tool_use_id: id, content } },
  ]

  it.each([
    [[...picture('a')], 'millrace: 1 large file (0.3 MB) is left out; a server would store it.\n'],
    [[...picture('a'), ...picture('b')], 'millrace: 2 large files (0.6 MB) are left out; a server would store them.\n'],
  ])('says in one line what it left out (%#)', async (records, line) => {
    const path = folder.file('large.jsonl', jsonLinesOf([...records, { type: 'done', data: {} }]))
    const { stdout, stderr } = await millrace(['convert', path, '--from', 'agent-lines', '--to', 'events'])
    expect(stderr).toBe(line)
    expect(stdout).not.toContain('A'.repeat(100))
  })
})

describe('convert --json', () => {
  it('summarises the conversion in one object on stderr', async () => {
    const { stdout, stderr } = await millrace(['convert', answer, '--to', 'events', '--json'])
    expect(linesOf(stderr)).toEqual([
      {
        format: 'anthropic-messages',
        target: 'events',
        records: 11,
        events: linesOf(stdout).length,
        unparsable: 0,
        unmapped: 0,
        filesLeftOut: 0,
        bytesLeftOut: 0,
        outcome: 'success',
      },
    ])
  })
})

describe('convert -v', () => {
  it('says why the format was detected and how many events the records became', async () => {
    const { stderr } = await millrace(['convert', answer, '--to', 'events', '-v'])
    expect(stderr).toMatch(
      /^Recognised as anthropic-messages: .+\.\n11 records became \d+ events; outcome: success\.\n$/,
    )
  })
})
