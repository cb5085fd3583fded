import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keptToken } from '../src/api/token.ts'

describe('the token of a data folder', () => {
  let folder = ''
  let path = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-token-'))
    path = join(folder, 'token')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  const modeOf = async () => (await stat(path)).mode & 0o777

  it('is created again if its file is empty', async () => {
    for (const left of ['', '\n']) {
      await writeFile(path, left, { mode: 0o600 })
      const token = await keptToken(folder)
      expect(token).toMatch(/^[\w-]{32}$/)
      expect([await readFile(path, 'utf8'), await modeOf()]).toEqual([`${token}\n`, 0o600])
      expect(await keptToken(folder)).toBe(token)
    }
  })

  it('is the same for concurrent creators, and no temporary file is left', async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, () => keptToken(folder)))
    expect(new Set(tokens).size).toBe(1)
    expect(await readdir(folder)).toEqual(['token'])
  })

  it.each([0o644, 0o640, 0o666])('is made private if its mode was %o', async (mode) => {
    const token = await keptToken(folder)
    await chmod(path, mode)
    expect([await keptToken(folder), await modeOf()]).toEqual([token, 0o600])
  })

  it('is refused, with its path, if it cannot be sent in a header', async () => {
    await writeFile(path, 'two words\n', { mode: 0o600 })
    await expect(keptToken(folder)).rejects.toThrow(`The token in ${path} cannot be used.`)
  })
})
