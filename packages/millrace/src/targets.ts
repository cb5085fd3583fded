import type { Entry } from '@millrace/core/events'
import { createFold, type RunSnapshot, timelineOf, withRunUsage } from '@millrace/core/fold'
import type { Losses } from '@millrace/core/losses'
import { allWires, sseFrame, sseTerminator, type Wire, type WireOptions } from '@millrace/core/wire'

/** What a run can be converted to. */
export interface Target {
  readonly about: string
  /** What it cannot carry, and why. */
  readonly losses: Losses
  readonly profiles: readonly string[]
  /** Whether it can be framed as server-sent events. */
  readonly isWire: boolean
  open(options: TargetOptions, write: (text: string) => void): TargetWriter
}

interface TargetOptions extends WireOptions {
  readonly sse: boolean
}

/** Takes the entries of one run, in order, and writes text for them as soon as it can. */
export interface TargetWriter {
  push(entry: Entry): void
  /** Writes what could only be written at the end. */
  end(): void
}

const events: Target = {
  about: 'Millrace events, one JSON object per line',
  losses: {},
  profiles: [],
  isWire: false,
  open: (_options, write) => ({
    push: ({ event }) => write(`${JSON.stringify(event)}\n`),
    end: () => {},
  }),
}

const NOT_SHOWN = 'Items hold only what a chat shows.'
const RUN_LEVEL = 'It belongs to the run, and chat events hold only its messages.'

const chatEvents = foldedTarget(
  'the folded messages, a JSON array',
  {
    steps: 'Messages are folded whole, without the model calls behind them.',
    'tool-input-stream': 'A call has its whole input, not the deltas it arrived in.',
    state: RUN_LEVEL,
    metadata: RUN_LEVEL,
    control: RUN_LEVEL,
    raw: 'Records that were not understood belong to no message.',
  },
  ({ chatEvents: all, usage }) => withRunUsage(all, () => usage),
)

const timeline = foldedTarget(
  'the items of a chat timeline, a JSON array',
  {
    ...chatEvents.losses,
    retract: 'What was retracted is left out.',
    signature: NOT_SHOWN,
    encrypted: NOT_SHOWN,
    citations: NOT_SHOWN,
    'provider-meta': NOT_SHOWN,
    usage: NOT_SHOWN,
    cost: NOT_SHOWN,
    'tool-progress': 'A call has only its result.',
    'tool-nesting': 'Items are flat.',
    approvals: 'An approval of a call is left out; the call shows how it ended.',
    files: 'Only their names are kept.',
  },
  (folded) => timelineOf(folded.chatEvents),
)

const ownTargets = { events, 'chat-events': chatEvents, timeline }

/** Every target: our own, and one for each wire, also for those that were added to this process. */
export function allTargets(): { readonly [name: string]: Target } {
  const ofWires = Object.entries(allWires()).map(([name, wire]) => [name, wireTarget(name, wire)])
  return { ...ownTargets, ...Object.fromEntries(ofWires), ...ownTargets }
}

/** The target of a name; undefined if there is none. */
export function findTarget(name: string): Target | undefined {
  const targets = allTargets()
  return Object.hasOwn(targets, name) ? targets[name] : undefined
}

/** A target that needs the whole run before it can be written. */
function foldedTarget(about: string, losses: Losses, itemsOf: (folded: RunSnapshot) => readonly object[]): Target {
  return {
    about,
    losses,
    profiles: [],
    isWire: false,
    open({ runId }, write) {
      const fold = createFold({ runId })
      return {
        push: (entry) => fold.push([entry]),
        // One item per line: the array can be read by line, and no string is as long as the whole.
        end() {
          const items = itemsOf(fold.snapshot())
          items.forEach((item, index) => {
            write(`${index === 0 ? '[\n' : ',\n'}${JSON.stringify(item)}`)
          })
          write(items.length === 0 ? '[]\n' : '\n]\n')
        },
      }
    },
  }
}

function wireTarget(name: string, wire: Wire): Target {
  return {
    about: `the ${name} wire, one JSON chunk per line`,
    losses: wire.losses,
    profiles: wire.profiles,
    isWire: true,
    open({ sse, ...options }, write) {
      const wireState = wire.create(options)
      const { terminator } = wire
      return {
        push(entry) {
          for (const chunk of wireState.push(entry)) write(sse ? sseFrame(chunk) : `${JSON.stringify(chunk)}\n`)
        },
        end() {
          if (sse && terminator !== undefined) write(sseTerminator(terminator))
        },
      }
    },
  }
}
