import type { Agent, AgentHost, AgentRequest } from '@millrace/server/run/agent'

/** An agent that sends its next line only when the test allows it. */
export interface Stepped {
  readonly agent: Agent
  /** Lets it go on until it has sent so many lines in all, in each of its runs. */
  playTo(lines: number): void
}

export type Script = (request: AgentRequest, host: AgentHost) => AsyncIterable<object>

/** Plays a script of `{type, data}` lines. */
export function stepped(name: string, script: Script): Stepped {
  const encoder = new TextEncoder()
  let allowed = 0
  let change = Promise.withResolvers<void>()

  function wake(): void {
    change.resolve()
    change = Promise.withResolvers()
  }

  return {
    agent: {
      name,
      title: name,
      format: 'agent-lines',
      framing: 'json-lines',
      async *run(request, host) {
        const { signal } = request
        signal.addEventListener('abort', wake)
        let linesSent = 0
        for await (const line of script(request, host)) {
          while (linesSent >= allowed && !signal.aborted) await change.promise
          if (signal.aborted) return
          linesSent++
          yield encoder.encode(`${JSON.stringify(line)}\n`)
        }
      },
    },
    playTo(lines) {
      allowed = lines
      wake()
    },
  }
}

export const lines = {
  status: (message: string) => ({ type: 'status', data: { message } }),
  thinking: (content: string) => ({ type: 'thinking', data: { content } }),
  text: (content: string) => ({ type: 'text', data: { content } }),
  plan: (...statuses: readonly string[]) => ({
    type: 'todo_update',
    data: { items: statuses.map((status, index) => ({ content: `Task ${index + 1}`, status })) },
  }),
  call: (id: string, name: string) => ({ type: 'tool_use', data: { id, name, input: { part: 'wheel' } } }),
  result: (id: string, content: string) => ({ type: 'tool_result', data: { tool_use_id: id, content } }),
  helper: (task: string) => ({ type: 'subagent_start', data: { agent: 'scout', task } }),
  helped: (summary: string) => ({ type: 'subagent_complete', data: { agent: 'scout', summary } }),
  done: { type: 'done', data: {} },
} as const
