import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createFiles } from '../src/files/files.ts'

const ID = 'a'.repeat(32)

async function openFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-files-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const files = createFiles(folder)
  return { files, names: async () => (await readdir(join(folder, 'files'))).toSorted() }
}

/** Bytes whose disk fails once `before` is done. */
async function* failing(before: Promise<unknown>): AsyncGenerator<Uint8Array> {
  await before
  yield Buffer.from('half')
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
}

it('a file that could not be stored takes nothing from a run that stored the same one meanwhile', async () => {
  const { files, names } = await openFiles()
  const stored = Promise.withResolvers<void>()
  const second = files.keep({ id: ID, mediaType: 'image/png', content: failing(stored.promise) as never })
  await files.keep({ id: ID, mediaType: 'image/png', content: Buffer.from('whole') })
  stored.resolve()
  await expect(second).rejects.toMatchObject({ status: 507, code: 'disk-full' })
  expect(await files.find(ID)).toEqual({ id: ID, mediaType: 'image/png', size: 5 })
  expect(await names()).toEqual([ID, `${ID}.json`])
})

it('a file that could not be stored leaves nothing behind', async () => {
  const { files, names } = await openFiles()
  const attempt = files.store({ mediaType: 'image/png' }, failing(Promise.resolve()))
  await expect(attempt).rejects.toMatchObject({ status: 507 })
  expect(await names()).toEqual([])
})
