import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Parser } from '@millrace/core/parse'
import { recordingOf, recordingsIn } from '@millrace/testkit/recordings'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toolshed } from '../../../examples/own-parser/toolshed.ts'
import { goldenLaw } from '../src/golden.ts'
import { thorough } from '../src/law.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-recordings-'))
  vi.stubEnv('CI', undefined)
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const lines = '{"type":"job","agent":"a","model":"m"}\n{"type":"over","how":"done"}\n'

describe('recordingsIn', () => {
  it('has a recording for each stream of a folder, with its golden file beside it', () => {
    for (const file of ['b.sse', 'a.jsonl', 'c.json', 'notes.md', 'a.golden']) writeFileSync(join(folder, file), '')
    const recordings = recordingsIn(pathToFileURL(folder))
    expect(recordings).toEqual(recordingsIn(folder))
    expect(recordings.map(({ name, framing, golden }) => [name, framing, golden])).toEqual([
      [`${basename(folder)}/a.jsonl`, 'json-lines', join(folder, 'a.golden')],
      [`${basename(folder)}/b.sse`, 'sse', join(folder, 'b.golden')],
      [`${basename(folder)}/c.json`, 'json-array', join(folder, 'c.golden')],
    ])
  })

  it('refuses a folder that does not exist', () => {
    expect(() => recordingsIn(join(folder, 'gone'))).toThrow(`the folder "${join(folder, 'gone')}" does not exist`)
  })
})

describe('recordingOf', () => {
  it('has the records of its bytes, and no golden file', () => {
    const { records, golden } = recordingOf('two', Buffer.from(lines), 'json-lines')
    expect([records.length, golden]).toEqual([2, undefined])
  })

  it('refuses what is not bytes, or not a framing', () => {
    expect(() => recordingOf('text', lines as never, 'json-lines')).toThrow('bytes must be a Uint8Array')
    expect(() => recordingOf('text', Buffer.from(lines), 'lines' as never)).toThrow('lines')
  })
})

describe('golden files', () => {
  const golden = () => join(folder, 'run.golden')
  const problems = (parser: Parser = toolshed) =>
    recordingsIn(folder).flatMap((recording) => [
      ...goldenLaw.check({ name: recording.name, format: 'toolshed', parser, recording }, thorough),
    ])

  beforeEach(() => writeFileSync(join(folder, 'run.jsonl'), lines))

  it('are written when they are missing, one event a line, and compared from then on', () => {
    expect(problems()).toEqual([])
    const written = readFileSync(golden(), 'utf8')
    expect(written.split('\n').map((line) => line && JSON.parse(line).type)).toEqual(['run-start', 'run-end', ''])
    expect(problems()).toEqual([undefined])
    writeFileSync(golden(), written.replace('"m"', '"n"'))
    expect(problems()).toEqual([expect.stringContaining('.0.model is "m", expected "n"')])
    expect(readFileSync(golden(), 'utf8')).toContain('"n"')
  })

  it('are not written with CI set: a missing one is a failure that says what to do', () => {
    vi.stubEnv('CI', 'true')
    expect(problems()).toEqual([expect.stringMatching(/is missing: run the tests once without CI, read .*run\.golden/)])
    expect(existsSync(golden())).toBe(false)
  })

  it('that are not JSON lines are a failure, too', () => {
    writeFileSync(golden(), 'no JSON\n')
    expect(problems()).toEqual([expect.stringContaining('cannot be read: SyntaxError')])
  })

  it('of a stream without events are empty, and are compared', () => {
    writeFileSync(join(folder, 'run.jsonl'), '')
    for (let time = 0; time < 2; time++) expect(problems().filter((problem) => problem !== undefined)).toEqual([])
    writeFileSync(golden(), '{"type":"run-start"}\n')
    expect(problems()).toEqual([expect.stringContaining('expected')])
  })
})
