import type { Log, SearchQuery } from '@millrace/server/log'
import { expect } from './expectation.ts'
import { add, end, type LogBench, newRun, refusalOf, start } from './log-bench.ts'
import { it } from './runner.ts'

type Text = Parameters<Log['index']>[1][number]

const VERSION = 7

/** An ended run whose texts are indexed. */
async function indexed(log: Log, runId: string, threadId: string, texts: readonly Text[]): Promise<void> {
  await log.createRun(newRun(runId, { threadId }))
  await add(log, runId, start, end)
  await log.index(runId, texts, VERSION)
}

const text = (value: string, seq = 1): Text => ({ kind: 'text', seq, text: value })

/** Each hit as run and seq. */
async function found(log: Log, query: string, options: Omit<SearchQuery, 'text'> = {}): Promise<readonly string[]> {
  const { hits } = await log.search({ text: query, ...options })
  return hits.map(({ runId, seq }) => `${runId}:${seq}`)
}

/** The promises of a log about the texts of ended runs. */
export function searchPromises(bench: LogBench): void {
  it('finds every word of a query, by its beginning, without regard to case, accents and signs', async () => {
    const log = await bench.open()
    await indexed(log, 'r', 'thread', [
      text('The sawmill stands at the weir.', 1),
      text('npm run build-all && node ./bin/fan_out.js', 2),
      text('Über die Brücke: naïve ’tis', 3),
      text('水車が回る', 4),
      text('bin/'.repeat(2_000).concat('last'), 5),
    ])
    expect(await found(log, 'sawmill')).toEqual(['r:1'])
    expect(await found(log, 'SAW weir')).toEqual(['r:1'])
    expect(await found(log, 'mill')).toEqual([])
    expect(await found(log, 'npm build')).toEqual(['r:2'])
    expect(await found(log, 'fan_out')).toEqual(['r:2'])
    expect(await found(log, 'build-all')).toEqual(['r:2'])
    expect(await found(log, 'all-build')).toEqual([])
    expect(await found(log, 'uber BRUCKE naive')).toEqual(['r:3'])
    expect(await found(log, 'über')).toEqual(['r:3'])
    expect(await found(log, '車が')).toEqual(['r:4'])
    expect(await found(log, '車回')).toEqual([])
    expect(await found(log, 'last')).toEqual(['r:5'])
    expect(await found(log, 'bin')).toEqual(['r:2', 'r:5'])
    expect(await found(log, 'sawmill npm')).toEqual([])
  })

  it('finds what stands in quotation marks as whole words in that order', async () => {
    const log = await bench.open()
    await indexed(log, 'r', 'thread', [
      text('high water at noon', 1),
      text('water so high', 2),
      text('highest waters', 3),
    ])
    expect(await found(log, '"high water"')).toEqual(['r:1'])
    expect(await found(log, '"water high"')).toEqual([])
    expect(await found(log, 'high water')).toEqual(['r:1', 'r:2', 'r:3'])
    expect(await found(log, '"high water')).toEqual(['r:1'])
    expect(await found(log, '"high" noon')).toEqual(['r:1'])
    expect(await found(log, '"high wat"')).toEqual([])
  })

  it('takes every character of a query for itself, and finds nothing without a word', async () => {
    const log = await bench.open()
    await indexed(log, 'r', 'thread', [text("it's 100% NEAR AND OR NOT a:b c* \\ ' (x)\0😀\uD800 end", 1)])
    for (const query of [
      '',
      '   ',
      '"',
      '"" ',
      '%',
      '*',
      ':',
      "'; DROP TABLE runs; --",
      '\0',
      '\uD800',
      '😀',
      '\\',
      '&',
      '|',
      '!',
    ])
      expect([query, await found(log, query)]).toEqual([query, []])
    for (const query of ['NEAR AND', 'a:b', 'c*', '(x)', '!x', 'x & end', "it's", 'NOT OR', '<->x', 'near:*', 'END\0'])
      expect([query, await found(log, query)]).toEqual([query, ['r:1']])
    const long = Array.from({ length: 500 }, () => 'near').join(' ')
    expect(await found(log, long)).toEqual(['r:1'])
    expect(await found(log, 'n'.repeat(100_000))).toEqual([])
    // What is left of a query with too many words.
    const words = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ')
    await indexed(log, 's', 'thread', [text(words)])
    expect(await found(log, `${words} and more`)).toEqual(['s:1'])
    expect(await found(log, `"${words} and more"`)).toEqual(['s:1'])
  })

  it('shows the part of a text around what was found, and marks it', async () => {
    const log = await bench.open()
    const lines = Array.from({ length: 400 }, (_, n) => `line ${n} 😀`).join('\n')
    await indexed(log, 'r', 'thread', [
      { kind: 'output', seq: 9, name: 'Bash', text: `${lines}\nthe Wheel turned\n${lines}` },
      text('wheel', 12),
    ])
    const { hits } = await log.search({ text: 'whe turned' })
    expect(hits).toHaveLength(1)
    const [hit] = hits
    expect(hit).toMatchObject({ threadId: 'thread', runId: 'r', kind: 'output', seq: 9, name: 'Bash' })
    const { text: excerpt = '', marks = [] } = hit?.excerpt ?? {}
    expect(excerpt.length < 260).toBe(true)
    expect(excerpt.startsWith('…') && excerpt.endsWith('…') && excerpt.isWellFormed()).toBe(true)
    expect(marks.map(([from, to]) => excerpt.slice(from, to))).toEqual(['Wheel', 'turned'])
    const short = (await log.search({ text: 'wheel', kinds: ['text'] })).hits[0]
    expect(short).toStrictEqual({
      threadId: 'thread',
      runId: 'r',
      kind: 'text',
      seq: 12,
      excerpt: { text: 'wheel', marks: [[0, 5]] },
    })
  })

  it('lists hits newest run first, page by page, by kind and by thread, and counts all kinds', async () => {
    const log = await bench.open()
    for (const nth of [1, 2, 3]) {
      await indexed(log, `r${nth}`, nth === 2 ? 'other' : 'thread', [
        { kind: 'question', seq: 2, text: 'Which wheel?' },
        { kind: 'input', seq: 5, name: 'Bash', text: 'Bash\nturn wheel' },
        text('Wheel one', 7),
        text('Wheel two', 9),
      ])
    }
    const all = ['r3', 'r2', 'r1'].flatMap((runId) => [2, 5, 7, 9].map((seq) => `${runId}:${seq}`))
    expect(await found(log, 'wheel')).toEqual(all)
    expect(await found(log, 'wheel', { kinds: ['text', 'question'], threadId: 'other' })).toEqual([
      'r2:2',
      'r2:7',
      'r2:9',
    ])
    const paged: string[] = []
    for (let after: string | undefined, pages = 0; pages < 10; pages++) {
      const page = await log.search({ text: 'wheel', limit: 5, ...(after !== undefined && { after }) })
      paged.push(...page.hits.map(({ runId, seq }) => `${runId}:${seq}`))
      after = page.next
      if (after === undefined) break
    }
    expect(paged).toEqual(all)
    const { counts } = await log.search({ text: 'wheel', kinds: ['input'], threadId: 'thread', limit: 1 })
    expect(counts).toEqual({ question: 2, text: 4, reasoning: 0, input: 2, output: 0, notice: 0 })
    expect((await log.search({ text: 'wheel', after: 'no cursor' })).hits).toEqual([])
    expect((await log.search({ text: 'nothing' })).counts.text).toBe(0)
  })

  it('lists ended runs until they are indexed with this version, and replaces what was indexed', async () => {
    const log = await bench.open()
    await log.createRun(newRun('live'))
    for (const runId of ['a', 'b', 'c']) {
      await log.createRun(newRun(runId))
      await add(log, runId, start, end)
    }
    expect(await log.unindexed(VERSION, 10)).toEqual(['c', 'b', 'a'])
    expect(await log.unindexed(VERSION, 2)).toEqual(['c', 'b'])
    await log.index('b', [text('old words')], VERSION)
    await log.index('c', [], VERSION)
    expect(await log.unindexed(VERSION, 10)).toEqual(['a'])
    expect(await log.unindexed(VERSION + 1, 10)).toEqual(['c', 'b', 'a'])
    await log.index('b', [text('new words', 4)], VERSION + 1)
    expect([await found(log, 'old'), await found(log, 'words')]).toEqual([[], ['b:4']])
    expect(await log.unindexed(VERSION, 10)).toEqual(['b', 'a'])
    expect(await refusalOf(log.index('live', [], VERSION))).toBe('run-live')
    expect(await refusalOf(log.index('none', [], VERSION))).toBe('unknown-run')
  })

  it('keeps the digest of an ended run, gives its thread the title that it has not, and leaves it where it is in the list', async () => {
    let clock = 1_000
    const log = await bench.open(() => clock)
    const digest = { title: 'Wheels \ud83c\udfa1\0 of “iron”', steps: 2, tools: 3, errors: 1, usage: { costUsd: 0.5 } }
    await log.createThread({ id: 'named', title: 'Its own' })
    for (const [runId, threadId] of [
      ['a', 'unnamed'],
      ['b', 'named'],
    ] as const) {
      await log.createRun(newRun(runId, { threadId }))
      await add(log, runId, start, end)
    }
    await log.createRun(newRun('sub', { threadId: 'apart', parentRunId: 'a' }))
    await add(log, 'sub', start, end)
    const order = async () => (await log.threads({})).items.map(({ id, updatedAt }) => [id, updatedAt])
    const before = await order()
    const { version = 0 } = (await log.thread('unnamed')) ?? {}
    clock = 9_000
    for (const runId of ['a', 'b', 'sub']) await log.index(runId, [], VERSION, digest)
    expect((await log.run('a'))?.digest).toEqual(digest)
    expect((await log.lastRuns(['named'])).map((run) => run.digest)).toEqual([digest])
    const titles = ['unnamed', 'named', 'apart'].map(async (id) => (await log.thread(id))?.title)
    expect(await Promise.all(titles)).toEqual([digest.title, 'Its own', ''])
    expect(await order()).toEqual(before)
    expect(((await log.thread('unnamed'))?.version ?? 0) > version).toBe(true)
    expect((await log.threads({ search: 'OF “IRON”' })).items.map(({ id }) => id)).toEqual(['unnamed'])
    await log.index('a', [], VERSION)
    expect((await log.run('a'))?.digest).toEqual(digest)
    await log.index('a', [], VERSION, { ...digest, title: 'Another', tools: 4 })
    expect([(await log.run('a'))?.digest?.tools, (await log.thread('unnamed'))?.title]).toEqual([4, digest.title])
  })

  it('lists the runs since a time, newest first, without those of subagents', async () => {
    let clock = 1_000
    const log = await bench.open(() => clock)
    for (const runId of ['a', 'b', 'c', 'd']) {
      await log.createRun(newRun(runId))
      clock += 1_000
    }
    await log.createRun(newRun('sub', { parentRunId: 'd' }))
    const since = async (at: number, limit = 10) => (await log.recentRuns(at, limit)).map(({ id }) => id)
    expect(await since(2_000)).toEqual(['d', 'c', 'b'])
    expect(await since(2_001)).toEqual(['d', 'c'])
    expect(await since(0, 2)).toEqual(['d', 'c'])
    expect(await since(9_000)).toEqual([])
  })

  it('forgets the texts of a deleted thread, and no others', async () => {
    const log = await bench.open()
    await indexed(log, 'gone', 'gone', [text('a wheel')])
    await indexed(log, 'kept', 'kept', [text('another wheel')])
    await log.deleteThread('gone')
    expect(await found(log, 'wheel')).toEqual(['kept:1'])
    await log.createRun(newRun('gone', { threadId: 'gone' }))
    await add(log, 'gone', start, end)
    expect(await log.unindexed(VERSION, 10)).toEqual(['gone'])
    await log.index('gone', [text('no more of it')], VERSION)
    expect([await found(log, 'wheel'), await found(log, 'more')]).toEqual([['kept:1'], ['gone:1']])
  })
}
