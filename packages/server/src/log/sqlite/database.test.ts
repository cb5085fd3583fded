import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sqlite } from '../sqlite.ts'
import { checkWhole, fileOf, openForWriting } from './database.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-database-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function filled(folder: string): Promise<void> {
  const log = await sqlite.open({ folder })
  await log.createRun({ id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
  for (let seq = 0; seq < 60; seq++) {
    const text = `${seq}`.padStart(3_000, 'word ')
    await log.append(
      'r',
      { epoch: 0, afterSeq: seq },
      { inputs: [], events: [{ type: 'block-delta', blockId: 'b', text }] },
    )
  }
  await log.close()
}

/** Overwrites every page from this one on. */
function damage(file: string, fromPage: number): void {
  const handle = openSync(file, 'r+')
  for (let at = fromPage * 4096; at < statSync(file).size; at += 4096)
    writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, at)
  closeSync(handle)
}

describe('a log that cannot be opened', () => {
  it('reports that its file is damaged or not a database', async () => {
    const [damaged, foreign] = [newFolder(), newFolder()]
    await filled(damaged)
    damage(fileOf(damaged), 12)
    await expect(sqlite.open({ folder: damaged })).rejects.toMatchObject({ code: 'log-corrupt' })
    writeFileSync(fileOf(foreign), 'not a database at all'.repeat(1_000))
    await expect(sqlite.open({ folder: foreign })).rejects.toMatchObject({ code: 'log-corrupt' })
  })

  it('is checked only in its small tables if it is large', async () => {
    const folder = newFolder()
    await filled(folder)
    const database = openForWriting(folder)
    expect(() => checkWhole(database, 1024 ** 4)).not.toThrow()
    database.close()
  })

  it('reports what is wrong with its folder, and reports it as taken only if it is', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    const cases: readonly (readonly [string, RegExp])[] = [
      [file, /a file/],
      [join(file, 'below'), /through a file/],
      [folderWith('folder'), /a folder in its place/],
      [folderWith('link'), /symbolic link/],
    ]
    for (const [folder, sentence] of cases) {
      await expect(sqlite.open({ folder })).rejects.toMatchObject({
        code: 'log-failed',
        message: expect.stringMatching(sentence),
      })
    }
  })

  it('does not follow a link in place of its lock file', async () => {
    const folder = folderWith('link')
    await expect(sqlite.open({ folder })).rejects.toThrow()
    const target = join(folder, 'target')
    expect([readFileSync(target, 'utf8'), statSync(target).mode & 0o777]).toEqual(['precious', 0o644])
  })
})

describe('a deleted thread', () => {
  it('leaves no text in any file, packed or not, while the log is open', async () => {
    const folder = newFolder()
    const log = await sqlite.open({ folder })
    const secret = (runId: string) => `secret of ${runId}`
    for (const [runId, threadId] of [
      ['kept', 'other'],
      ['plain', 'gone'],
      ['packed', 'gone'],
    ] as const) {
      const text = secret(runId).repeat(400)
      await log.createRun({ id: runId, threadId, format: 'agent-lines', parserVersion: 1, attempt: 1 })
      const message = {
        id: runId,
        chatId: threadId,
        role: 'assistant',
        content: text,
        metadata: { thinking: text },
      } as const
      await log.append(
        runId,
        { epoch: 0, afterSeq: 0 },
        {
          inputs: [{ by: 'producer', text, name: undefined }],
          events: [
            { type: 'block-delta', blockId: 'b', text },
            { type: 'run-end', outcome: 'success' },
          ],
          message,
        },
      )
      await log.renameThread(threadId, `title: ${secret(runId)}`)
    }
    await log.pack('packed')
    // Small appends lie among those of other runs, until they are many and each run gets its own back.
    await log.createRun({ id: 'merged', threadId: 'gone', format: 'agent-lines', parserVersion: 1, attempt: 1 })
    for (let nth = 0; nth < 70; nth++) {
      const text = secret('merged').repeat(200)
      const inputs = [{ by: 'producer', text, name: undefined }] as const
      const event = { type: 'block-delta', blockId: 'b', text } as const
      await log.append('merged', { epoch: 0, afterSeq: nth }, { inputs, events: [event] })
    }
    const end = { type: 'run-end', outcome: 'success' } as const
    await log.append('merged', { epoch: 0, afterSeq: 70 }, { inputs: [], events: [end] })
    await log.deleteThread('gone')
    const stored = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('')
    const found = ['kept', 'plain', 'packed', 'merged'].filter((runId) => stored.includes(secret(runId)))
    expect(found).toEqual(['kept'])
    await log.close()
  })
})

/** A folder in which something else has the name of the lock file. */
function folderWith(kind: 'folder' | 'link'): string {
  const folder = newFolder()
  const lock = join(folder, 'millrace.lock')
  if (kind === 'folder') mkdirSync(lock)
  else {
    writeFileSync(join(folder, 'target'), 'precious', { mode: 0o644 })
    symlinkSync(join(folder, 'target'), lock)
  }
  return folder
}
