import type { StreamEvent } from '../events.ts'
import type { Losses } from '../losses.ts'
import type { RawRecord } from '../source/source.ts'

/**
 * Maps the raw values of one format to events, and does nothing else: the reader catches what it throws, `settle`
 * completes tool inputs from their deltas, `balance` opens, closes and ends. A parser may trust its raw types.
 */
export interface ParserState {
  /** In place of the parser's own, for a parser that only knows it once it has read a record. */
  readonly subagents?: 'synchronous' | undefined
  /**
   * The events of one raw value. MUST be deterministic; MUST NOT change its own state before the value is understood;
   * MAY throw, or return no event, on a value that it does not understand, which is then kept as `raw`. MUST return
   * `SILENT` for a value that it understands and that adds no event.
   */
  push(value: unknown, record: RawRecord): readonly StreamEvent[]
  /**
   * The events that a clean end of the stream implies: usually a `run-end` with the outcome. Without one, the run counts
   * as interrupted.
   */
  end(): readonly StreamEvent[]
  /** Called when the stream is closed from outside: the events that were held back. No call follows. */
  release?(): readonly StreamEvent[]
}

/**
 * How certain a parser is that a record is of its format, from 0 to 1, and why. A certainty below 0, down to -1, means
 * that the record looks like the format but belongs to another: it counts against the format.
 */
export interface Recognition {
  readonly certainty: number
  readonly reason: string
}

/** The parser of one format: a member of the registry. */
export interface Parser {
  /** Increases when the same raw records give other events: a stored run names the version that read it. */
  readonly version: number
  /** What this format cannot express. */
  readonly losses: Losses
  /**
   * `synchronous`: the agent waits while its subagent works, and records do not name their agent. What they say while one
   * subagent is open is the work of that one.
   */
  readonly subagents?: 'synchronous'
  /** Returns undefined if the record does not look like this format. */
  recognize(record: RawRecord): Recognition | undefined
  create(): ParserState
}

/**
 * What a parser returns for a value that it understands and that adds no event: a repetition, a value without content,
 * or content that is held for a later event. The reader compares by identity: any other empty array means "not
 * understood".
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

/** The `raw` event of a value that no row of a table maps. */
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
    // A stream may use `constructor` as a type: a property that every object inherits is not a row of the table.
    return handler === undefined || handler === inherited[type] ? unmapped(value) : handler(value as never, record)
  }
}
