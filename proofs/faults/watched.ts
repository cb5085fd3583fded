import type { Trial } from './fault.ts'
import { recordHealth } from './health.ts'
import { megabytes, recordMemory, tooMuch } from './memory.ts'
import type { ServerProcess } from './server-process.ts'

/** What hostile content may cost: generous, and far below its cost before there were limits. */
const MOST_GROWTH = 600
const MOST_DELAY = 3_000

/** Lets the server handle hostile content, and measures its health and memory from outside meanwhile. */
export async function watched(
  server: ServerProcess,
  tried: string,
  act: () => Promise<readonly string[]>,
): Promise<Trial> {
  const memory = recordMemory(server)
  const health = recordHealth(server)
  const problems = await act().catch((error: unknown) => [String(error)])
  const growth = memory.growth()
  memory.stop()
  const { longest, p99, unanswered } = await health.stop()
  const broken = [
    ...problems,
    ...tooMuch('growth', growth, MOST_GROWTH),
    ...(longest <= MOST_DELAY ? [] : [`an answer took ${longest} ms`]),
    ...(unanswered === 0 ? [] : [`${unanswered} times there was no answer`]),
    ...(server.isAlive() ? [] : ['the server is gone']),
  ]
  const figures = [`memory grew by ${megabytes(growth)}`, `health: p99 ${p99} ms, at most ${longest} ms`]
  return { tried, broken, figures }
}
