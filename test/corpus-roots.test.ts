import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { corpusOf, unreadFolders } from '@millrace/testkit/repository/fixtures'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

describe('the corpus', () => {
  let roots: readonly [string, string]

  /** A recording of one record in a folder of a root. */
  function record(root: string, folder: string, file: string): void {
    mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, folder, file), '{"type":"ping"}\n')
  }

  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-corpus-'))
    roots = [join(folder, 'one'), join(folder, 'two')]
    for (const root of roots) mkdirSync(root)
    vi.stubEnv('MILLRACE_CORPUS', roots.join(delimiter))
  })

  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(join(roots[0], '..'), { recursive: true })
  })

  const namesOf = (format: string) => {
    const corpus = corpusOf(format)
    return 'absent' in corpus ? corpus.absent : corpus.recordings.map(({ name }) => name)
  }

  it('has the recordings of all its roots', () => {
    record(roots[0], 'acp', 'a.jsonl')
    record(roots[1], 'acp', 'b.jsonl')
    record(roots[1], 'ai-sdk-ui', 'c.jsonl')
    expect(namesOf('acp')).toEqual(['acp/a.jsonl', 'acp/b.jsonl'])
    expect(namesOf('ai-sdk')).toEqual(['ai-sdk-ui/c.jsonl'])
    expect(namesOf('cohere')).toBe('the corpus has no recordings of cohere')
  })

  it('names the folders that no parser reads, once each', () => {
    for (const root of roots) record(root, 'unheard-of', 'a.jsonl')
    record(roots[0], 'deepagents', 'b.jsonl')
    expect(unreadFolders(['langgraph', 'acp'])).toEqual(['unheard-of'])
    expect(unreadFolders(['acp'])).toEqual(['deepagents', 'unheard-of'])
  })

  it('may be absent, or name a folder that does not exist', () => {
    vi.stubEnv('MILLRACE_CORPUS', join(roots[0], 'gone'))
    expect([namesOf('acp'), unreadFolders([])]).toEqual(['the corpus has no recordings of acp', []])
    vi.stubEnv('MILLRACE_CORPUS', '')
    expect([namesOf('acp'), unreadFolders([])]).toEqual(['MILLRACE_CORPUS names no folder', []])
  })
})
