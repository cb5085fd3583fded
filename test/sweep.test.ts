import { describe, expect, it } from 'vitest'
import { bundleOf } from '../proofs/sweep/bundle.ts'
import { changesOf } from '../proofs/sweep/changes.ts'
import { subjects } from '../proofs/sweep/subjects.ts'
import { sweep } from '../proofs/sweep/sweep.ts'

const FILE = 'packages/core/src/parse/made-up.ts'

/** The code after each change of a made-up file. */
function changed(code: string): readonly string[] {
  const placeAt = (position: number) => ({ file: FILE, line: 1, column: position + 1 })
  return changesOf({ code, placeAt }, [FILE]).map(
    ({ start, end, text }) => code.slice(0, start) + text + code.slice(end),
  )
}

describe('the changes of a sweep', () => {
  it.each([
    ['a forgotten line', 'open.delete(id)', [';']],
    ['a condition', 'if (a) b', ['if (true) b', 'if (false) b', 'if (a) ;']],
    ['a choice', 'const x = a ? b : c', ['const x = (b)', 'const x = (c)']],
    ['one side', 'const x = a ?? b', ['const x = (a)', 'const x = (b)']],
    ['a comparison', 'const x = a < b', ['const x = a <= b']],
    ['a field and a spread', 'const x = { a: 1, ...b }', ['const x = { ...[], ...b }', 'const x = { a: 1, ...[] }']],
    ['a default', 'function f(a = 1) {}', ['function f(a) {}']],
    ['the other end', 'const x = list.find(f)', ['const x = list.findLast(f)']],
    ['nothing that is declared', 'const x = { losses: { a: 1 }, version: 2, recognize: () => a ?? b }', []],
    ['nothing of a pattern', 'const { a, b: c } = x', []],
    ['nothing of another method', 'const x = list.toString()', []],
  ] as const)('include %s', (_name, code, expected) => {
    if (expected.length === 0) expect(() => changed(code)).toThrow('Nothing of')
    else expect(changed(code)).toEqual(expect.arrayContaining([...expected]))
  })

  it('have names of their own, which name the place in the repository', async () => {
    const bundle = await bundleOf(subjects.find(({ name }) => name === 'parse codex-exec')?.modules ?? [])
    const changes = changesOf(bundle, ['packages/core/src/parse/'])
    expect(new Set(changes.map(({ name }) => name)).size).toBe(changes.length)
    const files = new Set(changes.map(({ place }) => place.file))
    for (const file of ['codex-exec.ts', 'codex-exec/items.ts', 'kit/counts.ts', 'parser.ts'])
      expect(files).toContain(`packages/core/src/parse/${file}`)
    expect([...files].filter((file) => !file.startsWith('packages/core/src/parse/'))).toEqual([])
  })
})

describe('a sweep', () => {
  const subject = subjects.find(({ name }) => name === 'parse codex-exec')

  it('sees a change that a recording shows, and lists one that none does', async () => {
    if (subject === undefined) return expect.fail('There is no such subject.')
    const folders = ['packages/core/src/parse/codex-exec/']
    const tried = await sweep({ ...subject, folders }, () => false)
    const share = tried.filter(({ isSeen }) => isSeen).length / tried.length
    expect(tried.length).toBeGreaterThan(50)
    expect(share).toBeGreaterThan(0.8)
    // Guards against records that no sender sends stay unseen.
    expect(share).toBeLessThan(1)
    expect(await sweep({ ...subject, folders }, () => true)).toEqual([])
  })
})
