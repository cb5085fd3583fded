import type { AgentAbilities, AgentHost } from '../../run/agent.ts'
import type { Pipe } from '../pipe.ts'
import type { Turn } from '../turn.ts'

/** How a program is spoken to. Limits, stopping, sessions, stderr and what is left behind are kept outside. */
export interface Dialect {
  /** The parser of what the program prints; undefined if the program's file must name it. */
  readonly format: string | undefined
  readonly can: AgentAbilities
  /** How long the program has after it was told to stop in its own words, in ms. */
  readonly stopDelay: number
  /** The arguments after those of the command. Nothing a person writes may become one. */
  argv(turn: Turn): readonly string[]
  /**
   * Speaks with the program and yields what belongs into the log, until the program closes its stdout. MUST call
   * `pipe.finish` when the program has said how the run ends. Hears of a stop by `turn.request.signal`.
   */
  converse(turn: Turn, host: AgentHost, pipe: Pipe): AsyncIterable<Uint8Array>
}

/** Thrown if the program does not have the conversation that it shall continue. */
export class SessionGone extends Error {
  override readonly name = 'SessionGone'
}

/** Calls the function when the run shall stop, at once if it shall already. */
export function onStop({ request: { signal } }: Turn, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}
