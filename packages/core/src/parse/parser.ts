import type { StreamEvent } from '../events.ts'
import type { Losses } from '../losses.ts'
import type { RawRecord } from '../source/source.ts'

/**
 * Maps one framework's raw values to events, and only maps: the reader survives a throw, `settle` completes tool inputs
 * from their deltas, `balance` opens, closes and ends. A parser may trust its types and leave all of that out.
 */
export interface ParserState {
  /**
   * The events of one raw value. MUST be deterministic; MUST NOT change its own state before the value is understood;
   * MAY throw, or return no event, on a value that it does not understand, which is then kept as `raw`. MUST return
   * `SILENT` for a value that it understands and that adds no event.
   */
  push(value: unknown, record: RawRecord): readonly StreamEvent[]
  /**
   * What a cleanly ended stream implies: usually a `run-end` with the outcome that was seen. Without one, the run
   * counts as interrupted.
   */
  end(): readonly StreamEvent[]
  /** For a stream that is closed from outside: what was held back until more of it came. Nothing follows. */
  release?(): readonly StreamEvent[]
}

/**
 * How sure a framework is that a record is its own, from 0 to 1, and by what it knew it. Below 0, down to -1, the record
 * looks like one of its own and is another's: it speaks against the framework.
 */
export interface Recognition {
  readonly certainty: number
  readonly reason: string
}

/** One member of the `parse` family. */
export interface Parser {
  /** Grows when the same raw records would give other events: stored runs name the version that read them. */
  readonly version: number
  /** What this framework's stream cannot say. */
  readonly losses: Losses
  /** Whether a record looks like this framework's. */
  recognize(record: RawRecord): Recognition | undefined
  create(): ParserState
}

/**
 * What a parser returns for a value that it understands and that adds no event: it repeats, only carries, or its content
 * is held for a later event. The reader compares by identity: any other empty array means "not understood".
 */
export const SILENT: readonly StreamEvent[] = Object.freeze([])

/** The events of a value that is understood, whether it adds any or not. */
export function understood(events: readonly StreamEvent[]): readonly StreamEvent[] {
  return events.length === 0 ? SILENT : events
}

/** The events of a value's parts, in order. `SILENT` if every part is; empty if none has events and one is not understood. */
export function joined(parts: readonly (readonly StreamEvent[])[]): readonly StreamEvent[] {
  return parts.every((part) => part === SILENT) ? SILENT : parts.flat()
}

/** The message and the agent that an event belongs to. */
export interface EventScope {
  readonly messageId?: string
  readonly agentId?: string
}

/** One function per raw type. */
export type Handlers<Raw extends { type: string }> = {
  readonly [Type in Raw['type']]: (raw: Extract<Raw, { type: Type }>, record: RawRecord) => readonly StreamEvent[]
}

/** Keeps a value that no row of a table knows. */
export function unmapped(value: unknown): StreamEvent[] {
  return [{ type: 'raw', value: value as never, reason: 'unmapped' }]
}

/** Looks a value's `type` up in a table; a type without a row is kept as `raw`. */
export function dispatch<Raw extends { type: string }>(
  handlers: Handlers<Raw>,
): (value: unknown, record: RawRecord) => readonly StreamEvent[] {
  const inherited = Object.prototype as unknown as { readonly [type: string]: unknown }
  return (value, record) => {
    const type = (value as Raw).type as Raw['type']
    const handler: ((raw: never, record: RawRecord) => readonly StreamEvent[]) | undefined = handlers[type]
    // A stream may call its types `constructor`: what every object has is no row of the table.
    return handler === undefined || handler === inherited[type] ? unmapped(value) : handler(value as never, record)
  }
}
