import type { EventOf, Outcome, StreamEvent } from '@millrace/core/events'
import type { RawRecord } from '@millrace/core/source'
import type { Append, Log, LoggedInput, StoredRun } from '../log/log.ts'
import { type Batch, createBatch, isEmpty } from './batch.ts'
import { RunRefusal } from './errors.ts'
import type { KeptFile } from './large-files.ts'
import type { RunPosition } from './run-position.ts'
import { steerEvent } from './server-events.ts'

/** How many characters of records may wait for the log before the producer has to wait. */
const ROOM = 1024 * 1024

/**
 * The only writer of a run: it puts records, answers and stops into one order. What arrives while an append is under
 * way goes into the next one.
 */
export interface Owner {
  readonly run: StoredRun
  readonly position: RunPosition
  /** Reads a producer's records. After the run's end they are dropped. */
  push(records: readonly RawRecord[]): void
  /**
   * Adds events of the server; they are what the command asked for, if one is given. Resolves when they are durable; MUST
   * refuse (`run-closed`) after the end.
   */
  add(events: readonly StreamEvent[], command?: number): Promise<void>
  /** Like `add`, for events of which some were made by a client. */
  addInputs(inputs: readonly AddedInput[], command?: number): Promise<void>
  /** Settles a command that is refused. */
  refuse(command: number, code: string): Promise<void>
  /** The producer's stream has ended: ends the run. Resolves when that is durable; a second call does nothing. */
  end(): Promise<void>
  /** Ends the run with the server's own `run-end`, in one append with the events that lead to it. */
  close(end: EventOf<'run-end'>, reasons?: readonly StreamEvent[], command?: number): Promise<void>
  /** Whether the run has an end, durable or not. */
  isEnded(): boolean
  /** Whether the log has refused an append. */
  hasFailed(): boolean
  /** Resolves when everything handed over so far is durable; rejects with the log's error. */
  settled(): Promise<void>
  /** Resolves when there is room for more records. */
  room(): Promise<void>
}

/** An input that no producer sent. */
export type AddedInput = Extract<LoggedInput, { readonly event: StreamEvent }>

export interface OwnerOptions {
  readonly log: Log
  readonly run: StoredRun
  readonly position: RunPosition
  readonly rawRecords: number
  /** Makes a file durable that is too large for an event. */
  readonly keepFile: KeepFile
  /** How the producer's records are laid out; left out if no more of them will come. */
  readonly framing?: () => string | undefined
  /** The time of everything that it writes; default: now. The log takes 0 for the time of the last entry. */
  readonly at?: number
  /** Called with each event, before it is durable. */
  readonly onEvent?: (event: StreamEvent) => void
  /** The run that gets the messages which this one has not taken, by the first of them. Without it they are dropped. */
  readonly followUp?: (messageId: string) => Append['followUp']
  /** Called once, when the log has refused an append: the owner writes nothing after that. */
  onFailure(error: unknown): void
}

export type KeepFile = (file: KeptFile) => Promise<void>

export function createOwner(options: OwnerOptions): Owner {
  const { log, run, position, rawRecords, keepFile, framing, at, followUp, onEvent, onFailure } = options
  const { reader } = position
  let afterRaw = rawRecords
  let afterSeq = position.seq()
  let next = createBatch()
  let underWay: Batch | undefined
  let failure: { readonly error: unknown } | undefined
  let isEnded = false
  let storedFraming = run.framing

  function put(events: readonly StreamEvent[], by: LoggedInput['by']): void {
    for (const event of events) {
      next.events.push(event)
      next.through.push(next.inputs.length)
      next.by.push(by)
      position.note(event)
      onEvent?.(event)
    }
    next.files.push(...reader.takeFiles())
  }

  function putInput(input: AddedInput): void {
    next.inputs.push(input)
    put(reader.add(input.event), input.by)
  }

  function settle(command: number | undefined): void {
    if (command !== undefined) next.settle.push({ number: command, result: { state: 'applied', seq: position.seq() } })
  }

  /** Resolves when everything put so far is durable. */
  function write(): Promise<void> {
    if (failure !== undefined) return Promise.reject(failure.error)
    if (isEmpty(next)) return underWay?.done.promise ?? Promise.resolve()
    const { promise } = next.done
    if (underWay === undefined) void writeAll()
    return promise
  }

  async function writeAll(): Promise<void> {
    while (!isEmpty(next)) {
      const batch = next
      underWay = batch
      next = createBatch()
      try {
        const append = appendOf(batch)
        for (const file of batch.files) await keepFile(file)
        await log.append(run.id, { epoch: run.epoch, afterSeq, afterRaw }, append)
        if (append.framing !== undefined) storedFraming = append.framing
      } catch (error) {
        fail(error, batch)
        return
      }
      afterSeq += batch.events.length
      afterRaw += batch.records
      batch.done.resolve()
    }
    underWay = undefined
  }

  function appendOf({ inputs, events, through, by, records, settle, followUp }: Batch): Append {
    const isLast = events.at(-1)?.type === 'run-end'
    const currentFraming = records > 0 ? framing?.() : undefined
    return {
      inputs,
      events,
      through,
      by,
      ...(at !== undefined && { at }),
      ...(currentFraming !== undefined && currentFraming !== storedFraming && { framing: currentFraming }),
      // The answer of a subagent is no message of the conversation.
      ...(isLast && run.parentRunId === undefined && { message: position.message(run.threadId) }),
      ...(settle.length > 0 && { settle }),
      ...(followUp !== undefined && { followUp }),
    }
  }

  function fail(error: unknown, batch: Batch): void {
    failure = { error }
    underWay = undefined
    batch.done.reject(error)
    next.done.reject(error)
    onFailure(error)
  }

  function settled(): Promise<void> {
    if (!isEmpty(next)) return write()
    if (failure !== undefined) return Promise.reject(failure.error)
    return underWay?.done.promise ?? Promise.resolve()
  }

  /** `end` is the input that ends the run; without it, the producer's stream has ended by itself. */
  function finish(ending: readonly StreamEvent[], end?: AddedInput, command?: number): Promise<void> {
    isEnded = true
    const last = ending.at(-1)
    if (last?.type === 'run-end') handOnPending(last.outcome)
    if (end !== undefined) next.inputs.push(end)
    put(ending, end?.by ?? 'producer')
    settle(command)
    return write()
  }

  /** Messages that nobody has taken go to the next run, but only after a success. Otherwise they are dropped. */
  function handOnPending(outcome: Outcome): void {
    const pending = position.pendingMessages()
    const [first] = pending
    if (first === undefined) return
    if (outcome === 'success') next.followUp = followUp?.(first)
    if (next.followUp !== undefined) return
    for (const messageId of pending) {
      const event = steerEvent(messageId, undefined, true)
      // As if it had been added just before the end: the reader has ended, and would pass it on as it is.
      next.inputs.push({ by: 'server', event })
      put([event], 'server')
    }
  }

  function addInputs(inputs: readonly AddedInput[], command?: number): Promise<void> {
    if (isEnded) return Promise.reject(new RunRefusal('run-closed', run.id))
    for (const input of inputs) putInput(input)
    settle(command)
    return write()
  }

  return {
    run,
    position,
    push(records) {
      if (isEnded || failure !== undefined || records.length === 0) return
      for (const record of records) {
        next.inputs.push({ by: 'producer', text: record.text, name: record.name })
        next.size += record.text.length
        next.records++
        put(reader.push(record), 'producer')
      }
      void write()
    },
    add: (events, command) =>
      addInputs(
        events.map((event) => ({ by: 'server', event })),
        command,
      ),
    addInputs,
    refuse(command, code) {
      next.settle.push({ number: command, result: { state: 'refused', code } })
      return write()
    },
    end: () => (isEnded ? settled() : finish(reader.end())),
    close(event, reasons = [], command) {
      if (isEnded) return settled()
      for (const reason of reasons) putInput({ by: 'server', event: reason })
      return finish(reader.close(event), { by: 'server', event }, command)
    },
    isEnded: () => isEnded,
    hasFailed: () => failure !== undefined,
    settled,
    async room() {
      if (failure !== undefined) throw failure.error
      if (next.size > ROOM) await underWay?.done.promise
    },
  }
}
