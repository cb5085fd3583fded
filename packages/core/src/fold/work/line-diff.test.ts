import { holds } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedLines, countsOf, linesOf, sameRanges } from './line-diff.ts'
import { applyHunks, envelopeFiles, hunksOf, unifiedFiles } from './patches.ts'

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })

/** The length of the longest list of lines that both have in this order. */
function longestCommon(one: readonly string[], other: readonly string[]): number {
  const rows = [new Array<number>(other.length + 1).fill(0)]
  for (const line of one) {
    const above = rows.at(-1) as number[]
    const row = [0]
    other.forEach((each, index) => {
      row.push(line === each ? (above[index] ?? 0) + 1 : Math.max(row[index] ?? 0, above[index + 1] ?? 0))
    })
    rows.push(row)
  }
  return rows.at(-1)?.at(-1) ?? 0
}

describe('the difference of two texts', () => {
  it('gives back both texts, and keeps as many lines as can be kept', () => {
    holds(
      fc.property(lines, lines, (before, after) => {
        const changed = changedLines(before, after)
        const side = (sign: string) => changed.filter((line) => line.sign !== sign).map(({ text }) => text)
        expect([side('+'), side('-')]).toEqual([before, after])
        const kept = sameRanges(before, after).reduce((sum, { count }) => sum + count, 0)
        expect(kept).toBe(longestCommon(before, after))
        expect(countsOf(changed)).toEqual({ added: after.length - kept, removed: before.length - kept })
      }),
      300,
    )
  })

  it('takes a large text without a common part as replaced, in little time', () => {
    const [one, other] = [1, 2].map((seed) => Array.from({ length: 15_000 }, (_, index) => `${seed} ${index}`))
    expect(countsOf(changedLines(one ?? [], other ?? []))).toEqual({ added: 15_000, removed: 15_000 })
  })

  it('counts a final line break as the end of a line, and none of Windows as a difference', () => {
    expect([linesOf(''), linesOf('a'), linesOf('a\n'), linesOf('a\r\n\r\n')]).toEqual([[], ['a'], ['a'], ['a', '']])
  })
})

describe('a patch', () => {
  it('made of the difference of two texts leads from one to the other', () => {
    holds(
      fc.property(lines, lines, (before, after) => {
        expect(applyHunks(before, [{ start: 1, lines: changedLines(before, after) }])).toEqual(after)
      }),
      200,
    )
  })

  it('is found by its lines, exactly or but for spaces at their ends, below its context', () => {
    const text = ['class A', '  run() {', '    go()  ', '  }', 'class B', '  run() {', '    go()', '  }']
    const patched = (patch: string) => applyHunks(text, hunksOf(patch.split('\n')))
    expect(patched('@@\n   run() {\n-    go()\n+    stop()')?.[6]).toBe('    stop()')
    expect(patched('@@ class B\n-    go()\n+    stop()')?.[6]).toBe('    stop()')
    expect(patched('@@\n-    go()\n+    stop()\n   }\n class B')?.[2]).toBe('    stop()')
    expect(patched('@@\n-    halt()\n+    stop()')).toBeUndefined()
  })

  it('keeps what the file has where the patch only repeats it', () => {
    expect(applyHunks(['a  ', 'b'], hunksOf([' a', '-b', '+c']))).toEqual(['a  ', 'c'])
  })

  it('of several files has each with its kind', () => {
    const patch =
      '*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** Update File: c\n*** Move to: d\n@@\n-x\n+y\n*** End Patch\nand more'
    expect(envelopeFiles(patch).map(({ path, type, movedTo, hunks }) => [path, type, movedTo, hunks.length])).toEqual([
      ['a', 'add', undefined, 1],
      ['b', 'delete', undefined, 0],
      ['c', 'update', 'd', 1],
    ])
    const diff =
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+c\n'
    expect(unifiedFiles(diff).map(({ path, type }) => [path, type])).toEqual([
      ['x', 'update'],
      ['y', 'add'],
    ])
  })
})
