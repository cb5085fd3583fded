import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createShow, type Show } from '../src/show/show.ts'

const recordings = fileURLToPath(new URL('../../../apps/web/public/recordings/scenario', import.meta.url))

/** Children of this test put their logs here. */
let folder = ''
const usual = process.env.TMPDIR
const shows: Show[] = []
const create = (from = recordings) => {
  const show = createShow(from)
  shows.push(show)
  return show
}
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const pidOf = (show: Show) => show.state()?.pid ?? Number.NaN

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-shows-'))
  process.env.TMPDIR = folder
})

afterEach(async () => {
  for (const show of shows.splice(0)) await show.end()
  if (usual === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = usual
  await rm(folder, { recursive: true, force: true })
})

describe('the show of formats', () => {
  it('has one child, however many beginnings come at once, and leaves nothing at its end', async () => {
    const show = create()
    const begun = await Promise.all([show.begin(), show.begin(), show.begin()])
    const pids = begun.map(({ pid }) => pid ?? Number.NaN)
    expect(new Set(pids).size).toBe(3)
    expect(pids.map(isAlive)).toEqual([false, false, true])
    expect(await readdir(folder)).toHaveLength(1)
    await show.end()
    expect(pids.map(isAlive)).toEqual([false, false, false])
    expect(await readdir(folder)).toEqual([])
    expect(show.state()).toBeUndefined()
  })

  it('ends what begins while it ends', async () => {
    const show = create()
    const beginning = show.begin()
    await show.end()
    expect(isAlive((await beginning).pid ?? Number.NaN)).toBe(false)
    expect(await readdir(folder)).toEqual([])
  })

  it('continues over the log of a child that was killed', async () => {
    const show = create()
    const { columns } = await show.begin()
    show.setSpeed(100)
    const runId = columns[0]?.runId ?? ''
    const seen = async () => (await show.ask(`/api/runs/${runId}`)).json() as Promise<{ readonly rawRecords?: number }>
    while (((await seen()).rawRecords ?? 0) === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    const first = pidOf(show)
    expect(await show.kill()).toMatchObject({ server: 'down' })
    expect(isAlive(first)).toBe(false)
    expect(show.address()).toBeUndefined()
    await expect(show.ask('/api/health')).rejects.toThrow('down')
    const { server, kills, pid } = await show.restart()
    expect({ server, isOther: pid !== first, downs: kills.map(({ downMs }) => typeof downMs) }).toEqual({
      server: 'up',
      isOther: true,
      downs: ['number'],
    })
    const isDone = () => show.state()?.columns.every(({ isAcknowledged }) => isAcknowledged)
    while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 20))
    for (const { runId: id, records } of columns) {
      const found = (await (await show.ask(`/api/runs/${id}/verify`)).json()) as { rawRecords: number; ok: boolean }
      expect(found).toMatchObject({ ok: true, rawRecords: records })
    }
  }, 60_000)

  it('begins nothing without its recordings', async () => {
    const show = create(join(folder, 'nowhere'))
    await expect(show.begin()).rejects.toMatchObject({ code: 'ENOENT' })
    expect(show.state()).toBeUndefined()
    expect(await readdir(folder)).toEqual([])
  })
})
