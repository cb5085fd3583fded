import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileUrl } from '@millrace/core/api/ids'
import { expect, it } from 'vitest'
import { createFiles, removeUnusedFiles } from '../src/files/files.ts'
import type { Log } from '../src/log/log.ts'
import { openLog } from './run-parts.ts'

async function storedIn(log: Log, dataFolder: string, names: readonly string[]): Promise<readonly string[]> {
  const files = createFiles(dataFolder)
  const ids: string[] = []
  for (const filename of names) {
    const { id } = await files.store({ mediaType: 'text/plain', filename }, bytesOf(filename))
    ids.push(id)
    await log.createRun({ id: filename, threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
    const file = { type: 'file', fileId: id, url: fileUrl(id), mediaType: 'text/plain' } as const
    const events = [file, { type: 'run-end', outcome: 'success' } as const]
    await log.append(filename, { epoch: 0, afterSeq: 0 }, { inputs: [], events })
  }
  return ids
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

it('a file that cannot be removed keeps no other, is reported each time, and goes once it can be removed', async () => {
  const log = await openLog()
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-files-'))
  try {
    const files = createFiles(dataFolder)
    const ids = await storedIn(log, dataFolder, ['a', 'b', 'c'])
    const [stuck = '', ...others] = ids.toSorted()
    const path = join(dataFolder, 'files', stuck)
    await rm(path)
    await mkdir(path)
    await log.deleteThread('t')
    for (let time = 0; time < 2; time++) {
      await expect(removeUnusedFiles(log, files)).rejects.toThrow()
      expect(await log.unusedFiles()).toEqual([stuck])
      for (const id of others) expect(await files.find(id)).toBeUndefined()
    }
    await rm(path, { recursive: true })
    await removeUnusedFiles(log, files)
    expect(await log.unusedFiles()).toEqual([])
  } finally {
    await rm(dataFolder, { recursive: true, force: true })
  }
})
