import { scripted, text } from './serving.ts'

export const call = (id: string) => ({ type: 'tool_use', data: { id, name: 'repair', input: { part: 'wheel' } } })
export const result = (id: string, content: string) => ({ type: 'tool_result', data: { tool_use_id: id, content } })
export const done = { type: 'done', data: {} }

/** Repeats its input and uses a tool. */
export const talking = scripted('talking', async function* ({ input, history }) {
  yield text(`You said ${input.text}, after ${history.length}.`)
  yield call('c1')
  yield result('c1', 'turned')
  yield done
})

/** Asks once before each of its calls. */
export const asking = scripted('asking', async function* (_request, host) {
  for (const id of ['c1', 'c2']) {
    yield text(`Before ${id}.`)
    yield call(id)
    const { state } = await host.ask({ callId: id, message: 'May I?' })
    yield result(id, `it is ${state}`)
  }
  yield text('All done.')
  yield done
})

/** Asks about two calls at once. */
export const askingTwice = scripted('asking-twice', async function* (_request, host) {
  yield call('c1')
  yield call('c2')
  const ask = async (callId: string) => result(callId, (await host.ask({ callId, message: 'May I?' })).state)
  yield* await Promise.all([ask('c1'), ask('c2')])
  yield text('All done.')
  yield done
})

/** Speaks once, and on when the gate opens. */
export const slowly = (gate: Promise<void>) =>
  scripted('slow', async function* () {
    yield text('one ')
    await gate
    yield text('two')
    yield done
  })
