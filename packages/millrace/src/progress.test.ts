import { describe, expect, it } from 'vitest'
import { createProgress } from './progress.ts'

function drawn(size: number | undefined, columns = 80) {
  const written: string[] = []
  let time = 0
  const screen = { columns, write: (text: string) => written.push(text) }
  const progress = createProgress({ size }, screen, () => time)
  return {
    written,
    progress,
    wait(milliseconds: number) {
      time += milliseconds
    },
  }
}

describe('createProgress', () => {
  it('draws nothing for what is done within a moment', () => {
    const { written, progress, wait } = drawn(1e6)
    wait(50)
    progress.advance(1e6)
    progress.clear()
    expect(written).toEqual([])
  })

  it('shows the share of a known size, at most ten times a second', () => {
    const { written, progress, wait } = drawn(4e6)
    for (let step = 0; step < 100; step++) {
      wait(10)
      progress.advance(2e4)
    }
    expect(written).toHaveLength(10)
    expect(written.at(-1)).toBe('\r\x1b[2K████████████░░░░░░░░░░░░  50 %  2.0 of 4.0 MB')
  })

  it('counts what was read where the size is unknown', () => {
    const { written, progress, wait } = drawn(undefined)
    wait(200)
    progress.advance(1.5e6)
    expect(written).toEqual(['\r\x1b[2K1.5 MB read'])
  })

  it('clears its line once, and only if it was drawn', () => {
    const { written, progress, wait } = drawn(undefined)
    wait(200)
    progress.advance(1)
    progress.clear()
    progress.clear()
    expect(written.slice(1)).toEqual(['\r\x1b[2K'])
  })

  it('stays within one line of a narrow terminal', () => {
    const { written, progress, wait } = drawn(4e6, 20)
    wait(200)
    progress.advance(1)
    expect(written[0]?.replace('\r\x1b[2K', '')).toHaveLength(19)
  })
})
