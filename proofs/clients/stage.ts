import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memory } from '@millrace/server/log/memory'
import type { Agent } from '@millrace/server/run/agent'
import { createServer } from '@millrace/server/server'
import type { Recorded } from './recorded.ts'

/** Holds a run back until a client watches it. */
export interface Hold {
  /** Lets the agent begin and send the first half. */
  begin(): void
  /** Lets it send the rest and end. */
  goOn(): void
}

/** A server whose agents play recordings. */
export interface Stage {
  readonly url: string
  readonly headers: { readonly authorization: string }
  /** The agent that plays the recording. */
  agentOf(recorded: Recorded): string
  /** Holds the run of a thread back. MUST be called before the run begins. */
  hold(threadId: string): Hold
  /** The id of the thread's only run. */
  runOf(threadId: string): Promise<string>
}

interface Gates {
  readonly begin: PromiseWithResolvers<void>
  readonly goOn: PromiseWithResolvers<void>
}

/** Calls `work` with a server on a free port, whose log is in memory, and closes both afterwards. */
export async function withStage<Result>(
  recordings: readonly Recorded[],
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-clients-'))
  const log = await memory.open({ folder: dataFolder })
  const gates = new Map<string, Gates>()
  const names = new Map(recordings.map((recorded, index) => [recorded, `player-${index}`]))
  const agents = recordings.map((recorded) => playerOf(recorded, names.get(recorded) ?? '', gates))
  const server = await createServer({ log, agents, dataFolder, token: 'for-clients', port: 0, stopWithin: 50 })
  try {
    return await work({
      url: server.url,
      headers: { authorization: `Bearer ${server.token}` },
      agentOf: (recorded) => names.get(recorded) ?? '',
      hold(threadId) {
        const held = { begin: Promise.withResolvers<void>(), goOn: Promise.withResolvers<void>() }
        gates.set(threadId, held)
        return { begin: held.begin.resolve, goOn: held.goOn.resolve }
      },
      async runOf(threadId) {
        const [run] = await log.runs(threadId)
        if (run === undefined) throw new Error(`${threadId} has no run.`)
        return run.id
      },
    })
  } finally {
    await server.close()
    await log.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

/** Plays the recording as it is. The server detects the framing. */
function playerOf({ format, bytes, asks }: Recorded, name: string, gates: Map<string, Gates>): Agent {
  // A recording with questions is played in one piece: where a response pauses must not depend on timing.
  const half = asks ? bytes.length : bytes.length >> 1
  return {
    name,
    title: name,
    format,
    framing: 'auto',
    async *run({ threadId }) {
      const held = gates.get(threadId)
      await held?.begin.promise
      yield bytes.subarray(0, half)
      await held?.goOn.promise
      yield bytes.subarray(half)
    },
  }
}
