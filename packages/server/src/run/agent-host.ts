import type { StreamEvent } from '@millrace/core/events'
import type { Log } from '../log/log.ts'
import type { AgentHost, ApprovalRequest } from './agent.ts'
import type { Answers } from './answers.ts'
import { RunRefusal } from './errors.ts'
import type { Owner } from './owner.ts'
import { answerEvent } from './server-events.ts'
import type { Steering } from './steering.ts'

export interface AgentHostOptions extends Pick<AgentHost, 'runAgent'> {
  readonly log: Log
  readonly owner: Owner
  readonly answers: Answers
  readonly steering: Steering
  /** Fires when the agent must stop, and when it has ended. */
  readonly signal: AbortSignal
  /** The event that logs a conversation; undefined if it cannot be logged. */
  readonly sessionEvent: (id: string, at: string | undefined) => StreamEvent | undefined
}

/** Only the server adds these: an agent could otherwise end its run, or speak for a person. */
const REFUSED: ReadonlySet<StreamEvent['type']> = new Set(['run-start', 'run-end', 'control', 'approval'])

/** Marks a question that is asked at once with the next one: clients are to be asked both in one response. */
const FOLLOWED = { millrace: { more: true } } as const

const isRefused = (event: StreamEvent): boolean =>
  REFUSED.has(event.type) || (event.type === 'message-start' && event.role === 'user')

/** What the server does for one agent while it runs. */
export function createAgentHost(options: AgentHostOptions) {
  const { log, owner, answers, steering, signal, runAgent, sessionEvent } = options
  /** The questions that the agent asked here, not in its stream. */
  const asked = new Set<string>()
  let lastSession = ''
  /** The questions that are asked right now, and their ids once they are durable. */
  let gathering: { readonly questions: ApprovalRequest[]; readonly ids: Promise<readonly string[]> } | undefined

  /** Logs the questions that the agent asks at once in one append, so that a client that shows one shows all. */
  async function logQuestions(questions: readonly ApprovalRequest[]): Promise<readonly string[]> {
    // No longer: what the agent does next comes after its questions.
    await undefined
    gathering = undefined
    if (signal.aborted) return []
    const ids = owner.position.nextApprovalIds(questions.length)
    for (const id of ids) asked.add(id)
    const events = questions.map((question, at) => {
      const approval = { type: 'approval', state: 'requested', approvalId: ids[at] ?? '', ...question } as const
      return at === questions.length - 1 ? approval : { ...approval, meta: FOLLOWED }
    })
    await owner.add(events)
    return ids
  }

  function gather(question: ApprovalRequest): { readonly ids: Promise<readonly string[]>; readonly at: number } {
    const questions = gathering?.questions ?? []
    const at = questions.push(question) - 1
    gathering ??= { questions, ids: logQuestions(questions) }
    return { ids: gathering.ids, at }
  }

  const host: AgentHost = {
    async ask(question) {
      if (signal.aborted) return { state: 'expired' }
      const { ids, at } = gather(question)
      const approvalId = (await ids)[at]
      return approvalId === undefined ? { state: 'expired' } : answers.wait(approvalId)
    },
    answer: (approvalId) => answers.wait(approvalId),
    async add(events) {
      const refused = events.find(isRefused)
      if (refused !== undefined) throw new RunRefusal('not-for-agents', refused.type)
      await owner.add(events)
    },
    messages: () => steering.messages(),
    async *entries(after) {
      await owner.settled()
      yield* log.read(owner.run.id, { after, live: false })
    },
    takeMessages: () => steering.takeAll(),
    async runAgent(name, task) {
      if (signal.aborted) throw new RunRefusal('run-closed', owner.run.id)
      const child = await runAgent(name, task)
      // A run that cannot be asked any more ends by itself, or with its node.
      const stop = () => void child.stop().catch(() => undefined)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
      return child
    },
    session(id, at) {
      const event = sessionEvent(id, at)
      const session = JSON.stringify([id, at])
      if (event === undefined || session === lastSession || owner.isEnded()) return
      lastSession = session
      // A log that refuses it has ended the run already.
      owner.add([event]).catch(() => undefined)
    },
  }

  /** The agent has ended: nobody hears the answers to the questions that it asked here. Those in its stream stay open. */
  async function expireUnheard(): Promise<void> {
    const events = [...asked].flatMap((id) => answerEvent(owner.position, id, { state: 'expired' }) ?? [])
    if (events.length > 0 && !owner.isEnded()) await owner.add(events)
  }

  return { host, expireUnheard }
}
