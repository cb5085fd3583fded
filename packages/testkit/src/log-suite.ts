import type { LogMember } from '@millrace/server/log'
import { expect } from './expectation.ts'
import { appendPromises } from './log-append.ts'
import { createLogBench, end, filledRun, newRun, record, refusalOf, start } from './log-bench.ts'
import { inboxPromises } from './log-inbox.ts'
import { largePromises } from './log-large.ts'
import { modelPromise } from './log-model.ts'
import { nextRunPromises } from './log-next-run.ts'
import { nodePromises } from './log-nodes.ts'
import { racePromises } from './log-races.ts'
import { readPromises } from './log-read.ts'
import { repeatPromises } from './log-repeat.ts'
import { restartPromises } from './log-restart.ts'
import { searchPromises } from './log-search.ts'
import { threadPromises } from './log-threads.ts'
import { watchPromises } from './log-watch.ts'
import type { MemberLocation } from './member-location.ts'
import { describe, it, skip } from './runner.ts'

export interface LogSuiteOptions {
  /** How another process, which is killed, opens the member. A volatile member has none. */
  readonly reopen?: MemberLocation
}

/** Tests the promises of every log. A member that loses its data in a restart must declare that, with the reason. */
export function logSuite(name: string, member: LogMember, { reopen }: LogSuiteOptions): void {
  describe(`log: ${name}`, () => {
    const bench = createLogBench(member)
    appendPromises(bench)
    readPromises(bench)
    threadPromises(bench)
    searchPromises(bench)
    largePromises(bench)
    modelPromise(bench)
    racePromises(bench)
    repeatPromises(bench)
    nodePromises(bench)
    inboxPromises(bench)
    nextRunPromises(bench)
    watchPromises(bench)

    it('S0-97: stores the message row of a finished run with its end, or neither', async () => {
      const log = await bench.open()
      await log.createRun(newRun('r'))
      const message = {
        id: '7b0a4c52-3a68-4a3e-9d52-0d2f1f6f8c11',
        chatId: 'thread',
        role: 'assistant',
        content: 'The answer\u0000 😀',
        metadata: { processing: ['Reading', 'Writing'], thinking: 'hm' },
      } as const
      const append = { inputs: [record('last')], events: [start, end], message }
      expect(await refusalOf(log.append('r', { epoch: 0, afterSeq: 4 }, append))).toBe('wrong-position')
      expect(await log.messages('thread')).toEqual([])
      const position = { epoch: 0, afterSeq: 0 }
      const elsewhere = { ...append, message: { ...message, chatId: 'elsewhere' } }
      expect(await refusalOf(log.append('r', position, elsewhere))).toBe('foreign-message')
      expect((await log.run('r'))?.seq).toBe(0)
      await log.append('r', position, append)
      await log.append('r', position, append)
      await log.createRun(newRun('s'))
      const second = { ...message, id: '1c9c3c1e-63d3-4f0e-8f5a-b3a3a1a9b0de', content: 'More', metadata: {} } as const
      await log.append('s', position, { ...append, message: second })
      expect(await log.messages('thread')).toStrictEqual([message, second])
    })

    if (member.volatile === undefined) {
      it('declares how another process opens it', () => expect(reopen).toBeDefined())
      if (reopen !== undefined) restartPromises(bench, reopen)
    } else {
      skip(`survives a restart: not promised, ${member.volatile}`)
      it('is volatile as declared, and declares no way to be opened again', async () => {
        expect(reopen).toBeUndefined()
        const log = await bench.open()
        await filledRun(log, 'r', 3)
        expect(await (await bench.reopen(log)).run('r')).toBeUndefined()
      })
    }
  })
}
