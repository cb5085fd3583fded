import type { EventOf } from '@millrace/core/events'
import { getSource } from '@millrace/core/source'
import type { Agent, AgentHost, AgentRequest, ApprovalAnswer } from './agent.ts'
import { chunksUntil } from './chunks-until.ts'
import { RunRefusal } from './errors.ts'
import type { LiveRun } from './live-run.ts'
import type { Owner } from './owner.ts'
import type { Sleep } from './runs.ts'
import { endWord, expiryWords, failureWord, stopWord } from './words.ts'

export interface AgentDrive {
  readonly agent: Agent
  readonly request: Omit<AgentRequest, 'signal'>
  readonly createOwner: (onFailure: (error: unknown) => void) => Owner
  /** How long an agent that was told to stop may go on, in ms. */
  readonly stopWithin: number
  readonly sleep: Sleep
}

/** Runs an agent and feeds its bytes. What goes wrong in the agent is the run's outcome, not an error here. */
export function driveAgent({ agent, request, createOwner, stopWithin, sleep }: AgentDrive): LiveRun {
  /** Tells the agent to stop. */
  const told = new AbortController()
  /** Ends our listening, whether the agent has ended or not. */
  const deaf = new AbortController()
  const ended = new AbortController()
  const asked = new Map<string, (answer: ApprovalAnswer) => void>()
  /** How the run ends, once it was asked to. */
  let end: EventOf<'run-end'> | undefined
  /** The run stays open, for the next start or because the log takes nothing more. */
  let isLeftOpen = false

  const owner = createOwner(letGo)

  const host: AgentHost = {
    async ask(question) {
      if (told.signal.aborted) return { state: 'expired' }
      const approvalId = owner.progress.nextApprovalId()
      const answer = Promise.withResolvers<ApprovalAnswer>()
      asked.set(approvalId, answer.resolve)
      await owner.add([{ type: 'approval', approvalId, state: 'requested', ...question }])
      return answer.promise
    },
  }

  async function listen(): Promise<void> {
    const source = getSource(agent.framing)()
    try {
      const bytes = agent.run({ ...request, signal: told.signal }, host)
      for await (const chunk of chunksUntil(deaf.signal, bytes)) {
        owner.push(source.feed(chunk))
        await owner.room()
      }
    } catch (error) {
      end ??= failureWord(error)
    }
    if (isLeftOpen) return owner.settled()
    owner.push(source.end())
    await (end === undefined ? owner.end() : owner.close(end))
  }

  function tell(): void {
    told.abort()
    for (const resolve of asked.values()) resolve({ state: 'expired' })
    asked.clear()
  }

  function letGo(reason: unknown): void {
    isLeftOpen = true
    tell()
    deaf.abort(reason)
  }

  async function stopWith(word: EventOf<'run-end'>, by: string | undefined): Promise<void> {
    if (end !== undefined || isLeftOpen) return
    end = word
    await owner.add([stopWord(by), ...expiryWords(owner.progress)])
    tell()
    // Rejects when the agent has ended by itself, which is what everybody hopes for.
    sleep(stopWithin, ended.signal).then(
      () => deaf.abort(new RunRefusal('run-closed', owner.run.id)),
      () => undefined,
    )
  }

  return {
    owner,
    async feed() {
      try {
        await listen()
      } finally {
        ended.abort()
        tell()
      }
    },
    stop: (by) => stopWith(endWord('cancelled'), by),
    wake(approvalId, answer) {
      asked.get(approvalId)?.(answer)
      asked.delete(approvalId)
    },
    leave() {
      if (owner.progress.isAwaiting()) letGo(new RunRefusal('closing', owner.run.id))
      else stopWith(endWord('interrupted'), 'server').catch(letGo)
    },
    cut: letGo,
  }
}
