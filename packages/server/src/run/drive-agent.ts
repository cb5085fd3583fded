import type { EventOf } from '@millrace/core/events'
import { getSource } from '@millrace/core/source'
import type { Agent, AgentHost, AgentRequest, ApprovalAnswer } from './agent.ts'
import { chunksUntil } from './chunks-until.ts'
import { RunRefusal } from './errors.ts'
import type { LiveRun } from './live-runs.ts'
import type { Owner } from './owner.ts'
import type { Sleep } from './runs.ts'
import { answerEvent, endEvent, expiryEvents, failureEvent, stopEvent } from './server-events.ts'

export interface AgentDrive {
  readonly agent: Agent
  readonly request: Omit<AgentRequest, 'signal'>
  readonly createOwner: (onFailure: (error: unknown) => void) => Owner
  /** How long an agent may continue after it was asked to stop, in ms. */
  readonly stopWithin: number
  readonly sleep: Sleep
}

/** Runs an agent and feeds its bytes. An error of the agent is the run's outcome; it is not thrown. */
export function driveAgent({ agent, request, createOwner, stopWithin, sleep }: AgentDrive): LiveRun {
  /** Asks the agent to stop. */
  const stopController = new AbortController()
  /** Stops reading, whether the agent has ended or not. */
  const readController = new AbortController()
  const endController = new AbortController()
  const pendingAnswers = new Map<string, (answer: ApprovalAnswer) => void>()
  /** How the run ends, once a stop was requested or the agent has failed. */
  let end: EventOf<'run-end'> | undefined
  /** The run stays open, for the next start of the server or because the log refuses appends. */
  let isLeftOpen = false
  /** Settles when the agent has run its `finally`. */
  let agentClosed: Promise<unknown> = Promise.resolve()

  const owner = createOwner(letGo)

  const host: AgentHost = {
    async ask(question) {
      if (stopController.signal.aborted) return { state: 'expired' }
      const approvalId = owner.position.nextApprovalId()
      const answer = Promise.withResolvers<ApprovalAnswer>()
      pendingAnswers.set(approvalId, answer.resolve)
      await owner.add([{ type: 'approval', approvalId, state: 'requested', ...question }])
      return answer.promise
    },
  }

  async function readStream(): Promise<void> {
    const source = getSource(agent.framing)()
    try {
      const bytes = agent.run({ ...request, signal: stopController.signal }, host)
      for await (const chunk of chunksUntil(readController.signal, bytes, onClosing)) {
        owner.push(source.feed(chunk))
        await owner.room()
      }
    } catch (error) {
      end ??= failureEvent(error)
    }
    if (isLeftOpen) return owner.settled()
    owner.push(source.end())
    if (end !== undefined) return owner.close(end)
    await expireUnheard()
    await owner.end()
  }

  /** The agent has ended: nobody hears the answers to the questions that it asked here. Those in its stream stay open. */
  async function expireUnheard(): Promise<void> {
    const unheard = [...pendingAnswers.keys()]
    const events = unheard.flatMap((id) => answerEvent(owner.position, id, { state: 'expired' }) ?? [])
    if (events.length > 0 && !owner.isEnded()) await owner.add(events)
  }

  function onClosing(closed: Promise<unknown>): void {
    agentClosed = closed
  }

  function stopAgent(): void {
    stopController.abort()
    for (const resolve of pendingAnswers.values()) resolve({ state: 'expired' })
    pendingAnswers.clear()
  }

  function letGo(reason: unknown): void {
    isLeftOpen = true
    stopAgent()
    readController.abort(reason)
  }

  async function stopWith(runEnd: EventOf<'run-end'>, by: string | undefined): Promise<void> {
    if (end !== undefined || isLeftOpen) return
    end = runEnd
    await owner.add([stopEvent(by), ...expiryEvents(owner.position)])
    stopAgent()
    // Rejects if the agent ends in time.
    sleep(stopWithin, endController.signal).then(
      () => readController.abort(new RunRefusal('run-closed', owner.run.id)),
      () => undefined,
    )
  }

  return {
    owner,
    async feed() {
      try {
        await readStream()
      } finally {
        endController.abort()
        stopAgent()
      }
    },
    stop: (by) => stopWith(endEvent('cancelled'), by),
    wake(approvalId, answer) {
      pendingAnswers.get(approvalId)?.(answer)
      pendingAnswers.delete(approvalId)
    },
    leave() {
      if (owner.position.isAwaiting()) letGo(new RunRefusal('closing', owner.run.id))
      else stopWith(endEvent('interrupted'), 'server').catch(letGo)
    },
    cut: letGo,
    closed: () => agentClosed,
  }
}
