import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, RunInfo, StartedRun, ThreadDetail } from '@millrace/core/api'
import type { ChatEvent, ToolSegment } from '@millrace/core/fold'
import { type CallName, callNames, DENIED, type Picture } from './scenario.ts'
import type { Address } from './workplace.ts'

/** Longer than any turn of any program on a busy machine. */
const LONGEST = 180_000

/** Waits until the function gives a value. Throws with `what` when it takes too long. */
export async function eventually<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
  const end = Date.now() + LONGEST
  while (Date.now() < end) {
    const value = await look()
    if (value !== undefined) return value
    await sleep(100)
  }
  throw new Error(`It took too long: ${what}.`)
}

export interface Question {
  readonly approvalId: string
  readonly callName: CallName
}

/** The server's HTTP API, as the proof uses it. */
export function apiOf({ url, token }: Address) {
  async function ask<Reply>(method: string, path: string, body?: object): Promise<Reply> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Reply
  }

  const thread = (threadId: string) => ask<ThreadDetail>('GET', `/api/threads/${threadId}`)

  return {
    thread,
    start: (threadId: string, agent: string, text: string) =>
      ask<StartedRun>('POST', `/api/threads/${threadId}/runs`, { agent, input: { text } }),
    answer: (runId: string, approvalId: string, answer: Answer) =>
      ask('POST', `/api/runs/${runId}/approvals/${encodeURIComponent(approvalId)}`, answer),
    stop: (runId: string) => ask('POST', `/api/runs/${runId}/stop`, {}),
    /** The run's chat events, once it has ended. */
    ended: (threadId: string, runId: string) =>
      eventually(`the end of ${runId}`, async () => {
        const { runs, chatEvents } = await thread(threadId)
        const run = runs.find(({ id }) => id === runId)
        return run?.state === 'ended' ? { run, chatEvents: eventsOf(chatEvents, runId) } : undefined
      }),
    /** Whether the thread's last run has ended. */
    async isOver(threadId: string): Promise<boolean> {
      const { runs } = await thread(threadId)
      return runs.at(-1)?.state === 'ended'
    },
    /** The questions of a thread that have no answer. */
    async open(threadId: string): Promise<readonly Question[]> {
      const { chatEvents } = await thread(threadId).catch(() => ({ chatEvents: [] as readonly ChatEvent[] }))
      return toolsIn(chatEvents).flatMap((tool) =>
        tool.approval?.state === 'requested'
          ? [{ approvalId: tool.approval.approvalId, callName: callNameOf(tool) }]
          : [],
      )
    },
  }
}

export type Api = ReturnType<typeof apiOf>

export const isApproved = ({ callName }: Question): boolean => callName !== DENIED

const eventsOf = (chatEvents: readonly ChatEvent[], runId: string) =>
  chatEvents.filter((event) => event.runId === runId && event.role === 'assistant')

export const toolsIn = (chatEvents: readonly ChatEvent[]): readonly ToolSegment[] =>
  chatEvents.flatMap(({ segments }) => segments.flatMap((segment) => (segment.type === 'tool' ? [segment] : [])))

/** Which call of the script it is, by what a person sees of it. */
export function callNameOf({ input, title, meta, approval, name }: ToolSegment): CallName {
  const words = JSON.stringify([input, title, meta, approval])
  const found = callNames.find((callName) => words.includes(`${callName}.txt`))
  if (found === undefined) throw new Error(`A call "${name}" is none of the script: ${words}`)
  return found
}

export function pictureOf(run: RunInfo, chatEvents: readonly ChatEvent[]): Picture {
  const lines: string[] = []
  let calls: string[] = []
  const endStep = () => {
    lines.push(...calls.sort())
    calls = []
  }
  for (const segment of chatEvents.flatMap(({ segments }) => segments)) {
    if (segment.type === 'tool') {
      const answer = segment.approval === undefined ? '' : `, ${segment.approval.state}`
      calls.push(`${callNameOf(segment)}: ${segment.state}${answer}`)
    } else if (segment.type === 'text' || segment.type === 'error') {
      endStep()
      lines.push(segment.type === 'text' ? segment.text.trim() : `error: ${segment.message}`)
    }
  }
  endStep()
  return [...lines, run.outcome ?? 'open']
}
