import { ask } from './asking.ts'
import type { Fault } from './fault.ts'
import { bodies } from './hostile/bodies.ts'
import { callers } from './hostile/callers.ts'
import { sockets } from './hostile/sockets.ts'
import { megabytes, recordMemory } from './memory.ts'
import { withServer } from './server-process.ts'

/** Clients that request what they may not have, send what is not valid, or stop in the middle. */
export const hostile: Fault = {
  name: 'hostile clients',
  promise: 'each gets a clear error, or is streamed in bounded memory; the server stays up and its log is intact',
  sizes: { full: { count: 60, megabytes: 1_024 }, small: { count: 5, megabytes: 144 } },
  run: (size, _seed) =>
    withServer(async (server) => {
      const broken: string[] = []
      const memory = recordMemory(server)
      const all = [...callers, ...bodies, ...sockets]
      for (const { name, attack } of all) {
        const problems = await attack(server, size).catch((error: unknown) => [String(error)])
        const lives = server.isAlive() && (await ask(server, '/api/health')).status === 200
        broken.push(...problems.map((problem) => `${name}: ${problem}`))
        if (lives) continue
        broken.push(`${name}: the server is gone`)
        break
      }
      const growth = memory.growth()
      memory.stop()
      const figures = [`one line of ${size.megabytes} MB`, `memory grew by ${megabytes(growth)} at most`]
      return { tried: `${all.length} kinds`, broken, figures }
    }),
}
