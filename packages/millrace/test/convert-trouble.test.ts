import { existsSync, readFileSync } from 'node:fs'
import { wires } from '@millrace/core/wire'
import { describe, expect, it } from 'vitest'
import { linesOf, millrace, temporaryFolder } from './command.ts'
import { agentLineRecords, anthropicLines, anthropicSse, jsonLinesOf } from './streams.ts'

const folder = temporaryFolder()
const sound = folder.file('sound.jsonl', anthropicLines)
const damaged = folder.file('damaged.jsonl', anthropicLines.replace('\n', '\nnot json\n'))
const strange = folder.file('strange.jsonl', jsonLinesOf([{ tide: 'high' }, { tide: 'low' }]))
const empty = folder.file('empty.jsonl', '')

describe('convert, when the input is not valid', () => {
  it('keeps a record that is not JSON as raw, counts it on stderr and succeeds', async () => {
    const { code, stdout, stderr } = await millrace(['convert', damaged, '--to', 'events'])
    expect(code).toBe(0)
    expect(linesOf(stdout)).toContainEqual(expect.objectContaining({ type: 'raw', value: 'not json' }))
    expect(stderr).toBe('millrace: 1 record could not be parsed; kept as raw.\n')
  })

  it('says so if the target cannot carry raw events', async () => {
    const { stderr } = await millrace(['convert', damaged, '--to', 'chat-events'])
    expect(stderr).toBe('millrace: 1 record could not be parsed; chat-events cannot carry raw events.\n')
  })

  it('escapes the control characters of a file name in an error', async () => {
    const name = 'no\u001b[31m\u009b2J\rsuch\nfile'
    const { code, stderr } = await millrace(['convert', name, '--to', 'events'])
    expect(code).not.toBe(0)
    expect(stderr).toContain('no\\x1b[31m\\x9b2J\\x0dsuch\\x0afile')
    expect((await millrace(['convert', name, '--to', 'events', '--json'])).stderr.trimEnd()).not.toMatch(/\p{Cc}/u)
  })

  it('says nothing about bad records with -q', async () => {
    expect(await millrace(['convert', damaged, '--to', 'events', '-q'])).toMatchObject({ code: 0, stderr: '' })
  })

  it('exits with 4 under --strict, with the same output', async () => {
    const { stdout } = await millrace(['convert', damaged, '--to', 'events'])
    expect(await millrace(['convert', damaged, '--to', 'events', '--strict'])).toMatchObject({ code: 4, stdout })
  })

  it('exits with 0 under --strict when every record is JSON', async () => {
    const unknown = folder.file('unknown.jsonl', `${anthropicLines}{"type":"tide"}\n`)
    const { code, stderr } = await millrace(['convert', unknown, '--to', 'events', '--strict'])
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'millrace: 1 record was not understood; kept as raw.\n',
    })
  })

  it('exits with 0 for a run that failed or was interrupted', async () => {
    const failing = folder.file(
      'failing.jsonl',
      jsonLinesOf([...agentLineRecords.slice(0, 3), { type: 'error', data: { message: 'sunk' } }]),
    )
    const failed = await millrace(['convert', failing, '--to', 'events'])
    expect(failed.code).toBe(0)
    expect(linesOf(failed.stdout).at(-1)).toMatchObject({ type: 'run-end', outcome: 'error' })
    const cut = await millrace(['convert', '--to', 'events'], { stdin: anthropicSse.slice(0, -200) })
    expect(cut.code).toBe(0)
    expect(linesOf(cut.stdout).at(-1)).toMatchObject({ type: 'run-end' })
  })

  it('exits with 3 and writes nothing when no format is recognised', async () => {
    const kept = folder.file('kept.txt', 'untouched')
    const { code, stdout, stderr } = await millrace(['convert', strange, '--to', 'events', '-o', kept])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('The format was not recognised')
    expect(stderr).toContain('--from')
    expect(readFileSync(kept, 'utf8')).toBe('untouched')
  })

  it('does not recognise an empty input', async () => {
    expect(await millrace(['convert', empty, '--to', 'events'])).toMatchObject({ code: 3, stdout: '' })
  })

  it('converts an empty input of a named format to an interrupted run', async () => {
    const { code, stdout } = await millrace(['convert', empty, '--from', 'anthropic-messages', '--to', 'events'])
    expect(code).toBe(0)
    expect(linesOf(stdout).map(({ type, outcome }) => outcome ?? type)).toEqual(['run-start', 'interrupted'])
    expect(await millrace(['convert', empty, '--from', 'agent-lines', '--to', 'timeline'])).toMatchObject({ code: 0 })
  })
})

describe('convert, when it is called wrongly', () => {
  const missing = folder.path('missing.jsonl')
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['a flag is unknown', [sound, '--to', 'events', '--tide'], "Unknown option '--tide'."],
    ['a file is missing', [missing, '--to', 'events'], `There is no file ${missing}.`],
    ['the file is a folder', [folder.path('.'), '--to', 'events'], 'is a folder, not a file.'],
    ['there are two files', [sound, strange, '--to', 'events'], 'Expected at most one FILE'],
    ['there is no target', [sound], 'add --to TARGET'],
    ['a target is unknown', [sound, '--to', 'md'], 'There is no target "md" in this version.'],
    ['a target is named like a property of every object', [sound, '--to', 'constructor'], 'no target "constructor"'],
    [
      'a format is unknown',
      [sound, '--to', 'events', '--from', 'morse'],
      'There is no format "morse" in this version.',
    ],
    ['a framing is unknown', [sound, '--to', 'events', '--framing', 'tar'], 'There is no framing "tar".'],
    ['a profile is unknown', [sound, '--to', 'ai-sdk', '--profile', 'tar'], 'ai-sdk has no profile "tar".'],
    ['--sse is used with a target that is not a wire', [sound, '--to', 'events', '--sse'], '--sse needs a wire'],
    ['the output is the input', [sound, '--to', 'events', '-o', sound], 'cannot be both input and output.'],
    ['the output cannot be written', [sound, '--to', 'events', '-o', folder.path('no/where')], 'cannot be written'],
  ]

  it.each(cases)('exits with 2 and a sentence on stderr when %s', async (_when, args, sentence) => {
    const { code, stdout, stderr } = await millrace(['convert', ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^millrace: /)
    expect(stderr).toContain(sentence)
    expect(readFileSync(sound, 'utf8')).toBe(anthropicLines)
    expect(existsSync(missing)).toBe(false)
  })

  it('lists all targets, wires included, when one is unknown', async () => {
    const { stderr } = await millrace(['convert', sound, '--to', 'html'])
    for (const target of ['events', 'chat-events', 'timeline', ...Object.keys(wires)]) expect(stderr).toContain(target)
  })

  it('says what is wrong as JSON with --json', async () => {
    const { code, stderr } = await millrace(['convert', missing, '--to', 'events', '--json'])
    expect(code).toBe(2)
    expect(linesOf(stderr)).toEqual([{ error: { code: 'input-not-found', message: `There is no file ${missing}.` } }])
  })
})
