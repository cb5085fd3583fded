import { Worker } from 'node:worker_threads'
import { bundleOf, type Place } from './bundle.ts'
import { type Change, changesOf } from './changes.ts'
import type { Order } from './judge.ts'
import type { Subject } from './subjects.ts'

const HANGS_AFTER_MS = 10_000

/** A change, as the report shows it. */
export interface Tried {
  readonly name: string
  readonly place: Place
  readonly what: string
  readonly before: string
  readonly line: string
  readonly isSeen: boolean
}

/** Makes each change of a subject, except those that are known to be seen, and asks its recordings. */
export async function sweep(
  { name, modules, folders }: Subject,
  isKnown: (change: Change) => boolean,
): Promise<readonly Tried[]> {
  const bundle = await bundleOf(modules)
  const changes = changesOf(bundle, folders).filter((change) => !isKnown(change))
  const order: Order = { subject: name, code: bundle.code, changes }
  const tried: Tried[] = []
  let worker = open(order)
  for (const [index, change] of changes.entries()) {
    const verdict = await ask(worker, index)
    if (verdict === 'hangs') {
      await worker.terminate()
      worker = open(order)
    }
    tried.push({ ...described(change, bundle.code), isSeen: verdict !== false })
  }
  await worker.terminate()
  return tried
}

const open = (order: Order) => new Worker(new URL('./judge.ts', import.meta.url), { workerData: order })

function ask(worker: Worker, index: number): Promise<boolean | 'hangs'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('hangs'), HANGS_AFTER_MS)
    worker.once('error', reject)
    worker.once('message', (isSeen: boolean) => {
      clearTimeout(timer)
      worker.removeListener('error', reject)
      resolve(isSeen)
    })
    worker.postMessage(index)
  })
}

function described({ name, place, start, end, what }: Change, code: string): Omit<Tried, 'isSeen'> {
  const from = code.lastIndexOf('\n', start - 1) + 1
  const line = code.slice(from, code.indexOf('\n', start))
  return { name, place, what, before: inOneLine(code.slice(start, end)), line: inOneLine(line) }
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 120)
