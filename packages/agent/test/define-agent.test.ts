import { describe, expect, it } from 'vitest'
import { type AgentEvent, defineAgent, defineTool } from '../src/public/index.ts'
import { eventsOf, ofType } from './bench.ts'

const agent = (call: Parameters<typeof defineAgent>[0]['call']) => defineAgent({ title: 'Harbour', call })
const endsOf = async (call: Parameters<typeof agent>[0]) => ofType(await eventsOf(agent(call)), 'run-end')

describe('an agent of own code', () => {
  it('S1-10: ends once, if it says `final`, if it says it twice, and if it says nothing', async () => {
    const success = [{ type: 'run-end', outcome: 'success' }]
    expect(
      await endsOf(async function* () {
        yield { type: 'final' }
      }),
    ).toEqual(success)
    expect(
      await endsOf(async function* () {
        yield { type: 'final' }
        yield { type: 'final' }
      }),
    ).toEqual(success)
    expect(await endsOf(async function* () {})).toEqual(success)
  })

  it('calls a tool', async () => {
    const tide = defineTool<{ harbour: string }>({
      id: 'get_tide',
      description: 'd',
      input: { type: 'object', properties: { harbour: { type: 'string' } }, required: ['harbour'] },
      async *call({ harbour }, ctx) {
        yield ctx.toolEvent({ type: 'progress', toolName: 'get_tide', data: { percent: 50 } })
        yield ctx.toolEvent({ type: 'result', toolName: 'get_tide', output: `High at ${harbour}` })
      },
    })
    const events = await eventsOf(
      agent(async function* (_memory, ctx): AsyncGenerator<AgentEvent> {
        const result = yield* ctx.callTool(tide, { harbour: 'Millport' })
        yield { type: 'stream', content: result.output }
        ctx.status('Hello')
      }),
    )
    expect(ofType(events, 'tool-progress')).toMatchObject([{ channel: 'data', data: { percent: 50 }, percent: 50 }])
    expect(ofType(events, 'tool-output')).toMatchObject([{ status: 'ok', output: 'High at Millport' }])
    expect(ofType(events, 'status')).toEqual([{ type: 'status', message: 'Hello', level: 'info' }])
  })
})
