import type { StreamEvent } from '@millrace/core/events'
import { expect, it } from 'vitest'
import { createRuns } from '../src/run/create-runs.ts'
import { EVENT_LISTS, eventLists, registerEventLists } from './event-lists.ts'
import { agentOf, bodyOf, eventsOf, isEnded, lineOf, openLog, until } from './run-parts.ts'

registerEventLists()

async function endedRunOf(agent: ReturnType<typeof agentOf>) {
  const log = await openLog()
  const runs = createRuns({ log, agents: [agent] })
  const run = await runs.start({ threadId: 't', agent: agent.name, input: { text: 'Go' } })
  await until(isEnded(log, run.id))
  const events = await eventsOf(log, run.id)
  const states = events.flatMap((event) => (event.type === 'approval' ? [`${event.approvalId} ${event.state}`] : []))
  return { states, end: events.at(-1), isAsking: await runs.isAsking((await log.run(run.id)) ?? run) }
}

it('an agent that ends without hearing the answers leaves no question open', async () => {
  const agent = agentOf(async function* (_request, host) {
    void host.ask({ message: 'May I?' })
    void host.ask({ message: 'And this?' })
    await new Promise((resolve) => setImmediate(resolve))
    yield* bodyOf(lineOf('text', { content: 'I went on.' }), lineOf('done'))
  })
  const { states, end, isAsking } = await endedRunOf(agent)
  const asked = ['approval-1 requested', 'approval-2 requested']
  expect(states).toEqual([...asked, 'approval-1 expired', 'approval-2 expired'])
  expect(end).toMatchObject({ type: 'run-end', outcome: 'success' })
  expect(isAsking).toBe(false)
})

it('an agent hears that its question has expired when the call goes on without the answer', async () => {
  const call: readonly StreamEvent[] = [
    { type: 'tool-start', callId: 'c', name: 'repair', runBy: 'agent' },
    { type: 'tool-input', callId: 'c', input: {} },
  ]
  const output: StreamEvent = { type: 'tool-output', callId: 'c', status: 'ok', output: 'Repaired.' }
  let heard: unknown
  const agent = {
    ...agentOf(async function* (_request, host) {
      yield eventLists(call)
      const answer = host.ask({ callId: 'c', message: 'May I?' })
      yield eventLists([output])
      heard = await answer
    }),
    format: EVENT_LISTS,
  }
  const { states } = await endedRunOf(agent)
  expect(heard).toEqual({ state: 'expired' })
  expect(states).toEqual(['approval-1 requested', 'approval-1 expired'])
})

it('a question in the stream of an agent stays open when the stream ends: a later run may answer it', async () => {
  const question: StreamEvent = { type: 'approval', approvalId: 'q', state: 'requested' }
  const agent = {
    ...agentOf(async function* () {
      yield eventLists([question])
    }),
    format: EVENT_LISTS,
  }
  const { states, end, isAsking } = await endedRunOf(agent)
  expect(states).toEqual(['q requested'])
  expect(end).toMatchObject({ type: 'run-end', outcome: 'awaiting-input' })
  expect(isAsking).toBe(true)
})
