import type { ApprovalAnswer } from '@millrace/core/agent'
import type { StreamEvent } from '@millrace/core/events'
import { type AgentEvent, defineAgent, defineTool, type Tool, type ToolResult } from '../src/public/index.ts'
import { createBench, ofType } from './bench.ts'

export type Call = NonNullable<Tool['call']>
type Fields = Partial<Pick<Tool, 'approve' | 'input'>> & { readonly call: Call }
export const toolOf = ({ input = {}, ...fields }: Fields): Tool =>
  defineTool({ id: 'work', description: '', input, ...fields })

export interface Played {
  readonly yielded: readonly AgentEvent[]
  readonly result: ToolResult | undefined
  readonly events: readonly StreamEvent[]
}

/** Calls a tool in a run; each answer is given to the next question. */
export async function play(tool: Tool, input: unknown = {}, ...answers: readonly ApprovalAnswer[]): Promise<Played> {
  const yielded: AgentEvent[] = []
  let result: ToolResult | undefined
  const agent = defineAgent({
    title: 'Tester',
    async *call(_memory, ctx) {
      for (const _call of answers.length > 0 ? answers : [0]) {
        const events = ctx.callTool(tool, input)
        for (let next = await events.next(); ; next = await events.next()) {
          if (next.done) {
            result = next.value
            break
          }
          yielded.push(next.value)
          yield next.value
        }
      }
    },
  })
  const bench = await createBench(agent)
  await bench.start('r')
  let asked = 0
  for (const answer of answers) {
    const ids = new Set<string>()
    const nth = ++asked
    const question = await bench
      .seen('r', (event) => {
        if (event.type === 'approval' && event.state === 'requested') ids.add(event.approvalId)
        return ids.size === nth
      })
      .catch(() => undefined)
    if (question?.type === 'approval') await bench.answer('r', question.approvalId, answer)
  }
  const events = await bench.ended('r')
  return { yielded, result, events }
}

export const outputOf = ({ events }: Played) => ofType(events, 'tool-output')
