import { setTimeout } from 'node:timers/promises'
import type { Agent, AgentHost, AgentRequest } from './agent.ts'
import { type Errand, repair } from './demo/errand.ts'
import { followUp } from './demo/follow-up.ts'
import { wheelPicture } from './demo/picture.ts'
import { plain } from './demo/quote.ts'
import type { Step } from './demo/steps.ts'
import type { Sleep } from './runs.ts'

export interface DemoOptions {
  /** 2 is twice as fast; `Infinity` means no pauses. Default 1. */
  readonly speed?: number
  readonly sleep?: Sleep
}

const defaultSleep: Sleep = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal })

/**
 * An agent for a first try: it plays a scripted errand, needs no key and no network, runs nothing and writes nothing. The same
 * questions and answers give the same runs.
 */
export function demo({ speed = 1, sleep = defaultSleep }: DemoOptions = {}): Agent {
  async function* play(steps: readonly Step[], signal: AbortSignal, host: AgentHost): AsyncGenerator<Uint8Array> {
    for (const { pause, line, events } of steps) {
      if (speed !== Number.POSITIVE_INFINITY) await sleep(pause / speed, signal)
      if (signal.aborted) return
      if (line !== undefined) yield encoder.encode(`${line}\n`)
      if (events !== undefined) await host.add(events)
    }
  }

  async function* run(request: AgentRequest, host: AgentHost): AsyncGenerator<Uint8Array> {
    const { signal } = request
    const { steps, question, after } = errandFor(request)
    yield* play(steps, signal, host)
    if (signal.aborted) return
    const answer = question === undefined ? undefined : await host.ask(question)
    yield* play(after(answer), signal, host)
  }

  return {
    name: 'demo',
    title: 'Demo',
    description: 'Plays a scripted errand: commands, an edit, a helper, a picture, and one question to you.',
    can: { edit: true },
    format: 'agent-lines',
    framing: 'json-lines',
    run,
  }
}

const encoder = new TextEncoder()

const ROTTEN = [5, 6, 17]
let picture: string | undefined

/** The first question of a thread gets the whole errand, each later one another figure. */
function errandFor({ input, history }: AgentRequest): Errand {
  const questions = history.flatMap(({ role, segments }) => (role === 'user' ? [textOf(segments)] : []))
  const [first] = questions
  if (first === undefined) {
    picture ??= wheelPicture(ROTTEN)
    return repair(`${quoted(input.text)}I begin with the figures, then the wood, then the iron. `, picture)
  }
  const before = first === '' ? '' : `Before that you asked: “${plain(first)}” `
  return followUp(`${quoted(input.text)}${before}I add what another year would bring. `, questions.length - 1)
}

type Segments = AgentRequest['history'][number]['segments']

const textOf = (segments: Segments) =>
  segments.flatMap((segment) => (segment.type === 'text' ? [segment.text] : [])).join(' ')

/** An answer to any question: a script can only repeat it. */
const quoted = (text: string) => (text.trim() === '' ? '' : `> “${plain(text)}”\n\n`)
