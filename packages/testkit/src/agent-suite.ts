import type { StreamEvent } from '@millrace/core/events'
import type { AgentAbilities, ApprovalAnswer } from '@millrace/server/agent'
import { expect } from './expectation.ts'
import { describe, it, skip } from './runner.ts'

/**
 * An agent that plays a script by its input: `ask` asks about a call and says “It was approved.” or “It was denied.”, `wait` says
 * “Waiting.” until it is stopped or says “Heard WORDS.”, `fail` exits with 3, anything else is said again behind the session
 * it continues, as in “<none> Hello”.
 */
export interface AgentSubject {
  readonly name: string
  readonly can: AgentAbilities
  /** How it says that it has failed: the code of the error, and a word of its message. */
  readonly failure: { readonly code: string | undefined; readonly says: string }
  open(): Promise<AgentBench>
}

/** Runs of the agent in one thread. */
export interface AgentBench {
  start(runId: string, text: string): Promise<void>
  answer(runId: string, approvalId: string, answer: ApprovalAnswer): Promise<unknown>
  steer(runId: string, text: string): Promise<unknown>
  stop(runId: string): Promise<unknown>
  /** The first event that fits, as soon as it is logged. */
  seen(runId: string, fits: (event: StreamEvent) => boolean): Promise<StreamEvent>
  /** All events, when the run has ended. */
  ended(runId: string): Promise<readonly StreamEvent[]>
  /** How many processes of the thread are left, or connections. */
  leftOver(): number | Promise<number>
}

const textOf = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => ('text' in event && typeof event.text === 'string' ? [event.text] : [])).join('')

const says = (text: string) => (event: StreamEvent) => 'text' in event && String(event.text).includes(text)

/** What every agent promises that people speak with. */
export function agentSuite({ name, can, failure, open }: AgentSubject): void {
  describe(`agent: ${name}`, () => {
    for (const state of ['approved', 'denied'] as const)
      it(`hears that a question of its stream is ${state}, once`, async () => {
        const bench = await open()
        await bench.start('r', 'ask')
        const asked = await bench.seen('r', ({ type }) => type === 'approval')
        await bench.answer('r', asked.type === 'approval' ? asked.approvalId : '', { state })
        const events = await bench.ended('r')
        expect(textOf(events).includes(`It was ${state}.`), 'its text').toBe(true)
        expect(events.flatMap((event) => (event.type === 'approval' ? [event.state] : []))).toEqual([
          'requested',
          state,
        ])
        expect(events.at(-1)).toMatchObject({ type: 'run-end', outcome: 'success' })
      })

    if (can.steer !== true) skip('hears what a person says meanwhile: it takes no messages')
    else
      it('hears what a person says meanwhile', async () => {
        const bench = await open()
        await bench.start('r', 'wait')
        await bench.seen('r', says('Waiting.'))
        await bench.steer('r', 'the tide turns')
        const events = await bench.ended('r')
        expect(textOf(events).includes('Heard the tide turns.'), 'its text').toBe(true)
        expect(events.at(-1)).toMatchObject({ outcome: 'success' })
      })

    it('stops, keeps what it said, and leaves nothing behind', async () => {
      const bench = await open()
      await bench.start('r', 'wait')
      await bench.seen('r', says('Waiting.'))
      await bench.stop('r')
      const events = await bench.ended('r')
      expect(textOf(events).includes('Waiting.'), 'its text').toBe(true)
      expect(events.filter(({ type }) => type === 'run-end')).toEqual([{ type: 'run-end', outcome: 'cancelled' }])
      expect(await bench.leftOver()).toBe(0)
    })

    it('that fails says so, and why', async () => {
      const bench = await open()
      await bench.start('r', 'fail')
      const events = await bench.ended('r')
      const end = events.at(-1)
      const error = end?.type === 'run-end' ? end.error : undefined
      expect([error?.code, error?.message.includes(failure.says)]).toEqual([failure.code, true])
      expect(JSON.stringify(events).includes('The gauge is broken.'), 'why').toBe(true)
    })

    it('continues its own conversation, and repeats nothing of it', async () => {
      const bench = await open()
      await bench.start('r1', 'Hello')
      expect(textOf(await bench.ended('r1')).includes('<none> Hello'), 'its text').toBe(true)
      await bench.start('r2', 'Again')
      const text = textOf(await bench.ended('r2'))
      expect(text.includes('<session-1> Again'), 'its session').toBe(true)
      expect(text.includes('An old answer.'), 'a repetition').toBe(false)
      // What the person says is logged once: by the server.
      expect(text.split('Again')).toHaveLength(3)
    })
  })
}
