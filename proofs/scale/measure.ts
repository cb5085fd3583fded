import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Crowd, type ScaleNode, sendCrowd } from './cluster.ts'
import type { Load } from './loads.ts'
import type { Content } from './words.ts'

interface Usage {
  /** Cores, on average over the load. */
  readonly cores: number
  /** The most, in MB, and what it was before the load. */
  readonly memory: number
  readonly idleMemory: number
}

export interface Figures {
  readonly load: Load
  readonly nodes: readonly Usage[]
  readonly seconds: number
  /** Events that were stored, and frames that reached viewers, a second. */
  readonly storedRate: number
  readonly deliveredRate: number
  readonly problems: readonly string[]
}

const VIEWING_PROCESSES = 2
const SAMPLE_MS = 200

export async function measured(load: Load, nodes: readonly ScaleNode[], prefix: string): Promise<Figures> {
  const ids = Array.from({ length: load.runs }, (_, nth) => `${prefix}-${nth}`)
  const nodeAt = (nth: number) => nodes[nth % nodes.length] as ScaleNode
  const address = ({ url, token }: ScaleNode) => ({ url, token })
  const idle = nodes.map((node) => ({ cpu: node.cpu(), memory: node.memory() }))
  const most = nodes.map((node) => node.memory())
  const sampling = setInterval(() => {
    for (const [nth, node] of nodes.entries()) most[nth] = Math.max(most[nth] as number, node.memory())
  }, SAMPLE_MS)
  const runs = ids.map((runId, nth) => ({ runId, node: address(nodeAt(nth)) }))
  const begun = performance.now()
  const producers = sendCrowd({ ...load, do: 'produce', runs })
  // Each run is watched at the node after its own, and then at all others.
  const views = ids.flatMap((runId, nth) =>
    Array.from({ length: load.viewersOfRun }, (_, viewer) => ({ runId, node: address(nodeAt(nth + viewer + 1)) })),
  )
  const crowds = Array.from({ length: VIEWING_PROCESSES }, (_, nth) =>
    sendCrowd({ do: 'view', views: views.filter((_view, index) => index % VIEWING_PROCESSES === nth) }),
  )
  try {
    const results = await Promise.all(crowds.map((crowd) => crowd.reported('viewed')))
    const { refused } = await producers.reported('produced')
    const seconds = (performance.now() - begun) / 1_000
    const usage = nodes.map((node, nth) => ({
      cores: (node.cpu() - (idle[nth]?.cpu ?? 0)) / seconds,
      memory: most[nth] as number,
      idleMemory: idle[nth]?.memory ?? 0,
    }))
    const contents = results.flatMap((result) => result.contents)
    const frames = results.reduce((sum, result) => sum + result.frames, 0)
    const { problems, entries } = await compared(nodeAt(0), ids, contents, load.viewersOfRun)
    return {
      load,
      nodes: usage,
      seconds,
      storedRate: entries / seconds,
      deliveredRate: frames / seconds,
      problems: [...refused, ...problems],
    }
  } finally {
    clearInterval(sampling)
    for (const crowd of [producers, ...crowds] satisfies Crowd[]) crowd.end()
    await setTimeout(500)
  }
}

/** Every viewer must have received exactly what is stored. */
async function compared(node: ScaleNode, ids: readonly string[], contents: readonly Content[], viewers: number) {
  const problems: string[] = []
  let entries = 0
  for (const runId of ids) {
    const headers = { authorization: `Bearer ${node.token}` }
    const stored = await (await fetch(`${node.url}/api/runs/${runId}/stream?wire=native`, { headers })).text()
    const frames = stored.split('\n\n').filter((frame) => frame.includes('data: {"seq":'))
    const digest = createHash('sha256')
      .update(frames.map((frame) => `${frame}\n\n`).join(''))
      .digest('hex')
    entries += frames.length
    const own = contents.filter((content) => content.runId === runId)
    const exact = own.filter((content) => content.digest === digest).reduce((sum, each) => sum + each.viewers, 0)
    if (exact !== viewers)
      problems.push(`${runId}: ${viewers - exact} of ${viewers} viewers did not get exactly the run`)
    if (!frames.at(-1)?.includes('"run-end"')) problems.push(`${runId} has not ended`)
  }
  return { problems, entries }
}
