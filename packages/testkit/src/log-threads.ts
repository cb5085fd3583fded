import type { StreamEvent } from '@millrace/core/events'
import type { Log } from '@millrace/server/log'
import { expect } from './expectation.ts'
import { add, end, inputsOf, type LogBench, newRun, readAll, record, refusalOf, start, upFrom } from './log-bench.ts'
import { it } from './runner.ts'

async function endWith(log: Log, runId: string, threadId: string, content: string): Promise<void> {
  await log.createRun(newRun(runId, { threadId }))
  const message = { id: `m-${runId}`, chatId: threadId, role: 'assistant', content, metadata: {} } as const
  await log.append(runId, { epoch: 0, afterSeq: 0 }, { inputs: [], events: [start, end], message })
}

async function idsOf(log: Log, query: Parameters<Log['threads']>[0]): Promise<string[]> {
  return (await log.threads(query)).items.map(({ id }) => id)
}

/** The promises of a log about threads and their runs. */
export function threadPromises(bench: LogBench): void {
  it('creates a run once, by its id or by its key', async () => {
    const log = await bench.open()
    const first = await log.createRun(newRun('a', { idempotencyKey: 'k' }))
    expect(first.isNew).toBe(true)
    const run = first.run
    expect(await log.createRun(newRun('a', { format: 'other' }))).toEqual({ run, isNew: false })
    expect(await log.createRun(newRun('b', { idempotencyKey: 'k' }))).toEqual({ run, isNew: false })
    expect((await log.createRun(newRun('c', { idempotencyKey: 'k', threadId: 'other' }))).isNew).toBe(true)
    expect((await log.createRun(newRun('d'))).isNew).toBe(true)
    expect((await log.createRun(newRun('e'))).isNew).toBe(true)
    const repeated = await Promise.all(['f', 'g'].map((id) => log.createRun(newRun(id, { idempotencyKey: 'twice' }))))
    expect(repeated.map(({ run: { id }, isNew }) => [id, isNew])).toEqual([
      ['f', true],
      ['f', false],
    ])
  })

  it('refuses a key that was used for another request', async () => {
    const log = await bench.open()
    const { run } = await log.createRun(newRun('a', { idempotencyKey: 'k', requestHash: 'one' }))
    expect(await log.createRun(newRun('b', { idempotencyKey: 'k', requestHash: 'one' }))).toEqual({ run, isNew: false })
    expect(await log.createRun(newRun('b', { idempotencyKey: 'k' }))).toEqual({ run, isNew: false })
    expect(await refusalOf(log.createRun(newRun('b', { idempotencyKey: 'k', requestHash: 'two' })))).toBe(
      'other-request',
    )
    expect(await refusalOf(log.createRun(newRun('a', { idempotencyKey: 'k', requestHash: 'two' })))).toBe(
      'other-request',
    )
    expect((await log.createRun(newRun('c', { idempotencyKey: 'l', requestHash: 'two' }))).isNew).toBe(true)
    expect((await log.createRun(newRun('a', { requestHash: 'two' }))).isNew).toBe(false)
    expect('requestHash' in run).toBe(false)
    await log.createRun(newRun('d', { idempotencyKey: 'old' }))
    expect((await log.createRun(newRun('e', { idempotencyKey: 'old', requestHash: 'two' }))).run.id).toBe('d')
    expect((await log.runs('thread')).map(({ id }) => id)).toEqual(['a', 'c', 'd'])
  })

  it('returns the fields and the state of a run', async () => {
    let time = 10
    const log = await bench.open(() => time)
    const versions = { parserVersion: 3, readerVersion: 2 }
    const runFields = { afterRunId: 'before', parentRunId: 'parent', agent: 'demo', attempt: 4, ...versions }
    await log.createRun(newRun('r', runFields))
    const fields = { id: 'r', threadId: 'thread', format: 'agent-lines', ...runFields, createdAt: 10 }
    expect(await log.run('r')).toStrictEqual({ ...fields, epoch: 0, state: 'live', seq: 0, rawRecords: 0 })
    await log.release('r', 0)
    expect((await log.run('r'))?.state).toBe('waiting')
    time = 20
    await log.append('r', { epoch: 0, afterSeq: 0 }, { inputs: [record('{}')], events: [start], framing: 'sse' })
    await log.append('r', { epoch: 0, afterSeq: 1 }, { inputs: [record('{}')], events: [end] })
    const ended = { epoch: 0, state: 'ended', outcome: 'success', seq: 2, rawRecords: 2, endedAt: 20, framing: 'sse' }
    expect(await log.run('r')).toStrictEqual({ ...fields, ...ended })
    expect((await log.thread('thread'))?.updatedAt).toBe(20)
    expect(await log.run('none')).toBeUndefined()
  })

  it('lists the runs of a thread, oldest first, and the open runs of all threads', async () => {
    const log = await bench.open()
    for (const id of ['z', 'a', 'm']) await log.createRun(newRun(id))
    await log.createRun(newRun('other', { threadId: 'elsewhere' }))
    await log.release('m', 0)
    await add(log, 'a', start, end)
    expect((await log.runs('thread')).map(({ id }) => id)).toEqual(['z', 'a', 'm'])
    expect((await log.openRuns()).map(({ id, state }) => `${id} ${state}`)).toEqual([
      'z live',
      'm waiting',
      'other live',
    ])
  })

  it('returns the newest run of each requested thread, in their order, with its state', async () => {
    const log = await bench.open()
    await log.createThread({ id: 'empty' })
    for (const id of ['z', 'a', 'm']) await log.createRun(newRun(id))
    await log.createRun(newRun('first', { threadId: 'elsewhere' }))
    await log.createRun(newRun('not asked for', { threadId: 'other' }))
    await add(log, 'm', start, end)
    const last = await log.lastRuns(['elsewhere', 'none', 'empty', 'thread'])
    expect(last).toStrictEqual([await log.run('first'), await log.run('m')])
    expect(last.map(({ state }) => state)).toEqual(['live', 'ended'])
    expect(await log.lastRuns([])).toEqual([])
    await log.createRun(newRun('b'))
    expect((await log.lastRuns(['thread'])).map(({ id }) => id)).toEqual(['b'])
    await log.createRun(newRun('subagent', { parentRunId: 'b' }))
    expect(
      (await log.lastRuns(['thread'])).map(({ id }) => id),
      'a run that another run has begun',
    ).toEqual(['b'])
  })

  it('creates a thread once, renames it, and creates it with its first run', async () => {
    let time = 1
    const log = await bench.open(() => time)
    const created = await log.createThread({ id: 't', title: 'First \u0000 title' })
    expect(created).toStrictEqual({ id: 't', title: 'First \u0000 title', createdAt: 1, updatedAt: 1, version: 1 })
    time = 5
    expect(await log.createThread({ id: 't', title: 'Second' })).toEqual(created)
    const renamed = { ...created, title: 'Renamed', updatedAt: 5, version: 2 }
    expect(await log.renameThread('t', 'Renamed')).toEqual(renamed)
    expect(await log.renameThread('none', 'Renamed')).toBeUndefined()
    await log.createRun(newRun('r', { threadId: 'new' }))
    expect(await log.thread('new')).toStrictEqual({ id: 'new', title: '', createdAt: 5, updatedAt: 5, version: 1 })
    time = 9
    await log.createRun(newRun('s', { threadId: 't' }))
    expect((await log.thread('t'))?.updatedAt).toBe(9)
    expect(await log.thread('none')).toBeUndefined()
  })

  it('lists threads newest update first, page by page', async () => {
    let time = 0
    const log = await bench.open(() => Math.floor(time / 3))
    // An id may have any character, those of a cursor among them.
    const ids = upFrom(10, 44).map((n) => (n % 3 === 0 ? `t${n}.a.b` : n % 3 === 1 ? `t${n}` : `1.t${n}/é~`))
    for (const id of ids) {
      time++
      await log.createThread({ id })
    }
    time = 1000
    await log.renameThread('t13', 'now the newest')
    await endWith(log, 'r', 't22', 'and this is as new')
    const whole = await idsOf(log, { limit: 200 })
    expect(whole.slice(0, 2)).toEqual(['t22', 't13'])
    expect(whole.toSorted()).toEqual(ids.toSorted())
    const updates = (await log.threads({ limit: 200 })).items.map(({ updatedAt }) => updatedAt)
    expect(updates).toEqual(updates.toSorted((a, b) => b - a))
    const paged: string[] = []
    let page = await log.threads({ limit: 4 })
    for (let pages = 0; pages < 20; pages++) {
      paged.push(...page.items.map(({ id }) => id))
      if (page.next === undefined) break
      page = await log.threads({ limit: 4, after: page.next })
    }
    expect(paged).toEqual(whole)
    expect(await idsOf(log, { after: 'no cursor' })).toEqual([])
  })

  it('finds threads by title and by stored message, ignoring case, with every character literal', async () => {
    const log = await bench.open()
    await log.createThread({ id: 'title', title: 'Über 100% Wasser' })
    await endWith(log, 'r', 'content', 'The answer_is forty-two')
    await log.createThread({ id: 'plain', title: 'Nothing' })
    expect(await idsOf(log, { search: 'über' })).toEqual(['title'])
    expect(await idsOf(log, { search: '0%' })).toEqual(['title'])
    expect(await idsOf(log, { search: 'ANSWER_' })).toEqual(['content'])
    expect(await idsOf(log, { search: 'answer-is' })).toEqual([])
    expect((await idsOf(log, { search: '' })).toSorted()).toEqual(['content', 'plain', 'title'])
    expect(await idsOf(log, { search: '%' })).toEqual(['title'])
    expect(await idsOf(log, { search: "'; DROP TABLE threads; --" })).toEqual([])
  })

  it('ends the readers of a deleted run, and does not confuse a new run with it', async () => {
    const log = await bench.open()
    await endWith(log, 'r', 'gone', 'goes')
    const reader = log.read('r', { after: 0, live: true })[Symbol.asyncIterator]()
    expect((await reader.next()).value).toHaveLength(2)
    await log.deleteThread('gone')
    expect(await refusalOf(reader.next())).toBe('unknown-run')
    await log.createRun(newRun('r', { threadId: 'gone' }))
    const live = readAll(log, 'r', 0, true)
    await add(log, 'r', start, end)
    expect(await live).toEqual(await readAll(log, 'r'))
  })

  it('lists the files that only deleted threads refer to, until they are removed', async () => {
    const log = await bench.open()
    const file = (fileId: string): StreamEvent => ({
      type: 'file',
      fileId: 'the stream’s own name of it',
      url: `/api/files/${fileId}`,
      mediaType: 'text/plain',
    })
    const endsWith = async (runId: string, threadId: string, ...fileIds: string[]) => {
      await log.createRun(newRun(runId, { threadId }))
      await add(log, runId, start, ...fileIds.map(file), end)
    }
    await endsWith('r', 'one', 'own', 'shared', 'again')
    await endsWith('s', 'one', 'own')
    await endsWith('t', 'two', 'shared', 'other')
    expect(await log.unusedFiles()).toEqual([])
    await log.deleteThread('one')
    expect(await log.unusedFiles()).toEqual(['again', 'own'])
    await endsWith('u', 'three', 'again')
    expect(await log.unusedFiles()).toEqual(['own'])
    await log.forgetFiles(['own'])
    expect(await log.unusedFiles()).toEqual([])
    await log.deleteThread('two')
    expect(await log.unusedFiles()).toEqual(['other', 'shared'])
  })

  it('deletes a thread with all its data, but not while one of its runs is open', async () => {
    const log = await bench.open()
    await endWith(log, 'kept', 'other', 'stays')
    await endWith(log, 'done', 'gone', 'goes')
    await log.pack('done')
    await log.createRun(newRun('live', { threadId: 'gone', idempotencyKey: 'k' }))
    expect(await refusalOf(log.deleteThread('gone'))).toBe('run-live')
    expect(await log.messages('gone')).toHaveLength(1)
    await add(log, 'live', start, end)
    expect(await log.deleteThread('gone')).toBe(true)
    expect(await log.deleteThread('gone')).toBe(false)
    expect([await log.thread('gone'), await log.run('done'), await log.run('live')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect([await log.messages('gone'), await log.runs('gone')]).toEqual([[], []])
    expect(await refusalOf(readAll(log, 'done'))).toBe('unknown-run')
    expect((await log.createRun(newRun('done', { threadId: 'gone', idempotencyKey: 'k' }))).isNew).toBe(true)
    expect([await readAll(log, 'done'), await inputsOf(log, 'done')]).toEqual([[], []])
    expect(await readAll(log, 'kept')).toHaveLength(2)
    expect(await log.messages('other')).toHaveLength(1)
  })
}
