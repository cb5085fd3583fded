import { describe, expect, it } from 'vitest'
import { createProgressBar } from './progress-bar.ts'

function drawn(size: number | undefined, columns = 80) {
  const written: string[] = []
  let time = 0
  const screen = { columns, write: (text: string) => written.push(text) }
  const progressBar = createProgressBar({ size }, screen, () => time)
  return {
    written,
    progress: progressBar,
    wait(milliseconds: number) {
      time += milliseconds
    },
  }
}

describe('createProgressBar', () => {
  it('draws nothing for work that is done within 100 ms', () => {
    const { written, progress: progressBar, wait } = drawn(1e6)
    wait(50)
    progressBar.advance(1e6)
    progressBar.clear()
    expect(written).toEqual([])
  })

  it('shows the share of a known size, at most ten times a second', () => {
    const { written, progress: progressBar, wait } = drawn(4e6)
    for (let step = 0; step < 100; step++) {
      wait(10)
      progressBar.advance(2e4)
    }
    expect(written).toHaveLength(10)
    expect(written.at(-1)).toBe('\r\x1b[2K████████████░░░░░░░░░░░░  50 %  2.0 of 4.0 MB')
  })

  it('is full, and no fuller, for a file that grows while it is read', () => {
    const { written, progress: progressBar, wait } = drawn(4e6)
    for (const bytes of [4e6, 8e6]) {
      wait(200)
      progressBar.advance(bytes)
    }
    expect(written).toHaveLength(2)
    for (const line of written) expect(line).toContain('████████████████████████ 100 %')
  })

  it('counts what was read if the size is unknown', () => {
    const { written, progress: progressBar, wait } = drawn(undefined)
    wait(200)
    progressBar.advance(1.5e6)
    expect(written).toEqual(['\r\x1b[2K1.5 MB read'])
  })

  it('clears its line once, and only if it was drawn', () => {
    const { written, progress: progressBar, wait } = drawn(undefined)
    wait(200)
    progressBar.advance(1)
    progressBar.clear()
    progressBar.clear()
    expect(written.slice(1)).toEqual(['\r\x1b[2K'])
  })

  it('stays within one line of a narrow terminal', () => {
    const { written, progress: progressBar, wait } = drawn(4e6, 20)
    wait(200)
    progressBar.advance(1)
    expect(written[0]?.replace('\r\x1b[2K', '')).toHaveLength(19)
  })
})
