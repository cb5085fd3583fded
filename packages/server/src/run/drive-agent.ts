import type { EventOf } from '@millrace/core/events'
import { getSource } from '@millrace/core/source'
import type { Log } from '../log/log.ts'
import type { Agent, AgentHost, AgentRequest } from './agent.ts'
import { createAgentHost } from './agent-host.ts'
import { sessionEvent } from './agent-session.ts'
import { createAnswers } from './answers.ts'
import { chunksUntil } from './chunks-until.ts'
import { RunRefusal } from './errors.ts'
import type { LiveRun } from './live-run.ts'
import type { Owner, OwnerOptions } from './owner.ts'
import type { Sleep } from './runs.ts'
import { endEvent, expiryEvents, failureEvent, stopEvent } from './server-events.ts'
import { createSteering } from './steering.ts'

export interface AgentDrive {
  readonly agent: Agent
  readonly log: Log
  /** What the agent is asked, found out when the run has begun. A rejection is the run's outcome. */
  readonly prepare: () => Omit<AgentRequest, 'signal'> | Promise<Omit<AgentRequest, 'signal'>>
  readonly runAgent: AgentHost['runAgent']
  readonly createOwner: (options: Pick<OwnerOptions, 'onFailure' | 'onEvent'>) => Owner
  /** How long an agent may continue after it was asked to stop, in ms. */
  readonly stopWithin: number
  readonly sleep: Sleep
}

/** Runs an agent and feeds its bytes. An error of the agent is the run's outcome; it is not thrown. */
export function driveAgent(options: AgentDrive): LiveRun {
  const { agent, log, prepare, runAgent, createOwner, stopWithin, sleep } = options
  /** Asks the agent to stop. */
  const stopController = new AbortController()
  /** Stops reading, whether the agent has ended or not. */
  const readController = new AbortController()
  const endController = new AbortController()
  const answers = createAnswers()
  /** How the run ends, once a stop was requested or the agent has failed. */
  let end: EventOf<'run-end'> | undefined
  /** The run stays open, for another node or because the log refuses appends. */
  let isLeftOpen = false
  /** Settles when the agent has run its `finally`. */
  let agentClosed: Promise<unknown> = Promise.resolve()

  const owner = createOwner({ onFailure: letGo, onEvent: answers.note })
  const steering = createSteering(owner)
  let cwd = ''
  const { host, expireUnheard } = createAgentHost({
    log,
    owner,
    answers,
    steering,
    signal: stopController.signal,
    runAgent,
    sessionEvent: (id, at) => sessionEvent({ agent: agent.name, id, cwd, ...(at !== undefined && { at }) }),
  })

  async function readStream(): Promise<void> {
    const source = getSource(agent.framing)()
    try {
      const prepared = prepare()
      const request = prepared instanceof Promise ? await prepared : prepared
      cwd = request.cwd
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

  function onClosing(closed: Promise<unknown>): void {
    agentClosed = closed
  }

  function stopAgent(): void {
    stopController.abort()
    answers.close()
    steering.close()
  }

  function letGo(reason: unknown): void {
    isLeftOpen = true
    stopAgent()
    readController.abort(reason)
  }

  async function stopWith(runEnd: EventOf<'run-end'>, by: string | undefined, command?: number): Promise<void> {
    if (end !== undefined || isLeftOpen) return owner.add([], command)
    end = runEnd
    await owner.add([stopEvent(by), ...expiryEvents(owner.position)], command)
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
    stop: ({ by, number }) => stopWith(endEvent('cancelled'), by, number),
    async answer({ approvalId, answer, event }, { number }) {
      await owner.add([event], number)
      answers.give(approvalId, answer)
    },
    steer: (command, asked) => steering.add(agent.can?.steer === true ? command : { ...command, when: 'next' }, asked),
    takeBack: steering.takeBack,
    // The agent has no way to hear of it: the run that takes the output comes after this one.
    output: (_event, { number }) => owner.refuse(number, 'run-live'),
    takeOver: (_attempt, { number }) => owner.refuse(number, 'not-ingested'),
    leave() {
      if (owner.position.isAwaiting()) letGo(new RunRefusal('closing', owner.run.id))
      else stopWith(endEvent('interrupted'), 'server').catch(letGo)
    },
    lose: () => letGo(new RunRefusal('lease-lost', owner.run.id)),
    closed: () => agentClosed,
  }
}
