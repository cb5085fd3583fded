import type { Command, Log, NewCommand, StoredCommand } from '@millrace/server/log'
import { expect } from './expectation.ts'
import { add, delta, end, type LogBench, newRun, record, refusalOf, start, upFrom } from './log-bench.ts'
import { ownRun, promise } from './log-writers.ts'
import { it } from './runner.ts'

const stop: NewCommand = { command: { type: 'stop' } }
const takeBack = (messageId: string): Command => ({ type: 'take-back', messageId })
const all = (log: Log, runId: string) => log.commands(runId, { after: 0 })
const numbersOf = (commands: readonly StoredCommand[]) => commands.map(({ number }) => number)
const resultsOf = async (log: Log, runId: string) => (await all(log, runId)).map(({ result }) => result)
const applied = (seq: number) => ({ state: 'applied', seq }) as const
const refused = (code: string) => ({ state: 'refused', code }) as const

const odd = 'a\u0000b \ud800 \udc00\ud83d 😀 \u2028 "\\ é'

/** Every type of command, with all that JSON can express. */
const commands: readonly Command[] = [
  { type: 'stop' },
  { type: 'answer', approvalId: odd, answer: { state: 'answered', answer: { [odd]: odd } } },
  { type: 'answer', approvalId: '', answer: { state: 'expired' } },
  { type: 'steer', messageId: odd, text: odd.repeat(40_000), when: 'next', files: [{ id: odd, mediaType: odd }] },
  { type: 'take-back', messageId: '' },
  { type: 'output', callId: odd, output: [null, -1.5e300, '', {}, [], { '': odd, [odd]: [true, { 2: 1, 1: 2 }] }] },
  { type: 'output', callId: 'c', output: JSON.parse('{"__proto__":{"a":1},"constructor":null}') },
  { type: 'take-over', attempt: 2 ** 40 },
]

/** The promises of a log about what is asked of a run. */
export function inboxPromises(bench: LogBench): void {
  promise(bench, 'numbers the commands of each run from 1, in order', async ({ one, other, clock }) => {
    for (const id of ['r', 's']) await ownRun(one, id)
    const first = await one.log.tell('r', { ...stop, key: 'k', by: 'someone' })
    clock.now = 1_007
    const second = await other.log.tell('r', { command: takeBack('m') })
    expect(first).toStrictEqual({ command: { type: 'stop' }, key: 'k', by: 'someone', number: 1, at: 1_000 })
    expect(second).toStrictEqual({ command: takeBack('m'), number: 2, at: 1_007 })
    expect((await other.log.tell('s', stop)).number).toBe(1)
    expect(await other.log.commands('r', { after: 0 })).toStrictEqual([first, second])
    const more = await Promise.all(
      upFrom(3, 30).map((n) => (n % 2 === 0 ? one : other).log.tell('r', { command: takeBack(`${n}`) })),
    )
    expect(numbersOf(more).toSorted((a, b) => a - b)).toEqual(upFrom(3, 30))
    const stored = await all(one.log, 'r')
    expect(numbersOf(stored)).toEqual(upFrom(1, 30))
    for (const command of more) expect(stored[command.number - 1]).toStrictEqual(command)
  })

  promise(bench, 'stores a command once for each key', async ({ one, other }) => {
    for (const id of ['r', 's']) await ownRun(one, id)
    for (const key of ['k', '', 'k\ud800', 'k\ud801', 'k\u0000']) {
      const first = await one.log.tell('r', { command: takeBack(key), key })
      expect(first.key).toBe(key)
      expect(await other.log.tell('r', { ...stop, key, by: 'another' })).toStrictEqual(first)
      expect((await other.log.tell('s', { ...stop, key })).command).toEqual(stop.command)
    }
    for (const { log } of [one, other]) await log.tell('r', stop)
    expect(numbersOf(await all(one.log, 'r'))).toEqual(upFrom(1, 7))
    const atOnce = await Promise.all(
      upFrom(1, 10).map((n) => (n % 2 === 0 ? one : other).log.tell('r', { command: takeBack(`${n}`), key: 'once' })),
    )
    expect(new Set(numbersOf(atOnce))).toEqual(new Set([8]))
    expect(atOnce).toStrictEqual(atOnce.map(() => atOnce[0]))
    expect(await all(other.log, 'r')).toHaveLength(8)
  })

  promise(bench, 'returns commands unchanged, whatever they hold', async ({ one, other }) => {
    await ownRun(one, 'r')
    const stored = []
    for (const command of commands)
      stored.push(await one.log.tell('r', { command, key: `${odd}${stored.length}`, by: odd }))
    expect(stored.map(({ command, by }) => ({ command, by }))).toStrictEqual(
      commands.map((command) => ({ command, by: odd })),
    )
    expect(JSON.stringify(await all(other.log, 'r'))).toBe(JSON.stringify(stored))
    expect(await all(other.log, 'r')).toStrictEqual(stored)
  })

  promise(bench, 'keeps nothing of the objects of those who ask and settle', async ({ one, other }) => {
    await ownRun(one, 'r')
    const command = { type: 'output' as const, callId: 'c', output: { list: [1] } }
    const result = { state: 'applied' as const, seq: 1 }
    await one.log.tell('r', { command })
    await one.log.append(
      'r',
      { epoch: 1, afterSeq: 0 },
      { inputs: [], events: [start], settle: [{ number: 1, result }] },
    )
    command.output.list.push(2)
    result.seq = 2
    const [stored] = await all(other.log, 'r')
    expect(stored).toMatchObject({ command: { ...command, output: { list: [1] } }, result: applied(1) })
  })

  promise(bench, 'lists the commands after a number, and only the open ones if asked', async ({ one, other }) => {
    await ownRun(one, 'r')
    for (const n of upFrom(1, 6)) await other.log.tell('r', { command: takeBack(`${n}`) })
    const settle = [2, 5].map((number) => ({ number, result: applied(0) }))
    await one.log.append('r', { epoch: 1, afterSeq: 0 }, { inputs: [], events: [], settle })
    const listed = async (after: number, isOpen: boolean) => numbersOf(await other.log.commands('r', { after, isOpen }))
    for (const after of upFrom(0, 7)) {
      expect(await listed(after, false)).toEqual(upFrom(after + 1, 6))
      expect(await listed(after, true)).toEqual([1, 3, 4, 6].filter((number) => number > after))
    }
    expect('result' in ((await other.log.commands('r', { after: 0, isOpen: true }))[0] ?? {})).toBe(false)
    expect(numbersOf(await other.log.commands('r', { after: 1, limit: 2 }))).toEqual([2, 3])
    expect(await other.log.commands('r', { after: 1, limit: 0 })).toEqual([])
  })

  promise(bench, 'stores a result with its append, or neither', async ({ one, other }) => {
    await ownRun(one, 'r')
    for (const n of upFrom(1, 3)) await other.log.tell('r', { command: takeBack(`${n}`) })
    const settle = [1, 3, 4].map((number) => ({ number, result: applied(2) }))
    const append = { inputs: [record('one')], events: [start, delta('a')], settle }
    const at = { epoch: 1, afterSeq: 0 }
    const message = { id: 'm', chatId: 'elsewhere', role: 'assistant', content: '', metadata: {} } as const
    const refusals = await Promise.all([
      refusalOf(one.log.append('r', { ...at, afterSeq: 1 }, append)),
      refusalOf(one.log.append('r', { ...at, afterRaw: 1 }, append)),
      refusalOf(one.log.append('r', { ...at, epoch: 0 }, append)),
      refusalOf(one.log.append('r', at, { ...append, message })),
      refusalOf(one.log.append('r', at, { ...append, events: [end, start] })),
    ])
    expect(refusals).toEqual(['wrong-position', 'wrong-position', 'stale-owner', 'foreign-message', 'run-closed'])
    expect(await resultsOf(other.log, 'r')).toEqual([undefined, undefined, undefined])
    await one.log.append('r', at, append)
    expect(await resultsOf(other.log, 'r')).toEqual([applied(2), undefined, applied(2)])
  })

  promise(bench, 'keeps the first result of a command', async ({ one, other }) => {
    for (const id of ['r', 's']) await ownRun(one, id)
    for (const { log } of [one, other]) for (const id of ['r', 's']) await log.tell(id, stop)
    const settling = (...results: readonly [number: number, code: string][]) => ({
      inputs: [record('one')],
      events: [delta('a')],
      settle: results.map(([number, code]) => ({ number, result: refused(code) })),
    })
    const at = { epoch: 1, afterSeq: 0 }
    await one.log.append('r', at, settling([1, 'first']))
    await one.log.append('r', at, settling([1, 'repeated'], [2, 'repeated']))
    expect(await resultsOf(other.log, 'r')).toEqual([refused('first'), undefined])
    await one.log.append('r', { ...at, afterSeq: 1 }, settling([1, 'second'], [2, odd], [2, 'third'], [0, 'none']))
    expect(await resultsOf(other.log, 'r')).toEqual([refused('first'), refused(odd)])
    expect(await resultsOf(other.log, 's')).toEqual([undefined, undefined])
  })

  promise(bench, 'refuses the commands of an ended run that have no result', async ({ one, other }) => {
    await ownRun(one, 'r')
    for (const n of upFrom(1, 3)) await other.log.tell('r', { command: takeBack(`${n}`), key: `${n}` })
    const settle = [{ number: 2, result: applied(2) }]
    await one.log.append('r', { epoch: 1, afterSeq: 0 }, { inputs: [], events: [start, end], settle })
    expect((await other.log.tell('r', stop)).number).toBe(4)
    expect((await other.log.tell('r', { ...stop, key: '3' })).number).toBe(3)
    const closed = refused('run-closed')
    expect(await resultsOf(other.log, 'r')).toEqual([closed, applied(2), closed, closed])
    expect(await other.log.commands('r', { after: 0, isOpen: true })).toEqual([])
  })

  promise(bench, 'deletes the commands and followers of a run with its thread', async ({ one, other }) => {
    await ownRun(one, 'r')
    await ownRun(one, 'kept', 'elsewhere')
    for (const id of ['r', 'kept']) {
      await other.log.tell(id, { ...stop, key: 'k' })
      await one.log.setFollowing(id, one.nodeId, true)
    }
    await add(one.log, 'r', start, end)
    await one.log.deleteThread('thread')
    expect(await refusalOf(other.log.tell('r', stop))).toBe('unknown-run')
    expect(await refusalOf(all(other.log, 'r'))).toBe('unknown-run')
    expect(await refusalOf(other.log.setFollowing('r', other.nodeId, true))).toBe('unknown-run')
    await ownRun(other, 'r')
    expect([await all(one.log, 'r'), await one.log.isFollowed('r')]).toEqual([[], false])
    expect((await one.log.tell('r', { command: takeBack('m'), key: 'k' })).number).toBe(1)
    expect([numbersOf(await all(one.log, 'kept')), await one.log.isFollowed('kept')]).toEqual([[1], true])
  })

  promise(bench, 'counts only nodes with a lease as followers of a run', async ({ one, other, heir }) => {
    for (const id of ['r', 's']) await ownRun(one, id)
    const { log } = one
    expect([await log.isFollowed('r'), await log.isFollowed('none')]).toEqual([false, false])
    await log.setFollowing('r', 'nobody', true)
    expect(await log.isFollowed('r')).toBe(false)
    for (const { nodeId } of [one, one, other]) await log.setFollowing('r', nodeId, true)
    expect([await other.log.isFollowed('r'), await other.log.isFollowed('s')]).toEqual([true, false])
    await log.setFollowing('r', one.nodeId, false)
    expect(await log.isFollowed('r')).toBe(one !== other)
    await log.setFollowing('r', one.nodeId, true)
    await log.setFollowing('r', other.nodeId, false)
    await log.setFollowing('r', 'nobody', false)
    expect(await log.isFollowed('r')).toBe(one !== other)
    await log.leave(one.nodeId)
    const next = await heir()
    expect(await next.log.isFollowed('r')).toBe(false)
    await next.log.setFollowing('r', one.nodeId, true)
    expect(await next.log.isFollowed('r')).toBe(false)
    await next.log.setFollowing('r', next.nodeId, true)
    expect(await next.log.isFollowed('r')).toBe(true)
  })

  it('refuses a command for a run that does not exist', async () => {
    const log = await bench.open()
    await log.createRun(newRun('r'))
    expect(await refusalOf(log.tell('x', stop))).toBe('unknown-run')
    expect(await refusalOf(log.commands('x', { after: 0 }))).toBe('unknown-run')
    expect(await log.run('x')).toBeUndefined()
  })
}
