import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { ask, runAt } from './asking.ts'
import type { Fault } from './fault.ts'
import { breakOff, connect, upgradeOf } from './raw-sockets.ts'
import { startServer, withFolder } from './server-process.ts'

const OPEN_RUNS = 50
const AT_ONCE = 10

/** Clients that open WebSockets and reset them while the server recovers, as tabs do after a crash. */
export const startResets: Fault = {
  name: 'upgrades that are reset at the start',
  promise: 'the server starts, answers, and has lost no run',
  sizes: { full: { count: 12, megabytes: 0 }, small: { count: 2, megabytes: 0 } },
  run: ({ count }) =>
    withFolder(async (data) => {
      await leaveRunsOpen(data)
      const broken: string[] = []
      let resets = 0
      for (let start = 1; start <= count; start++) {
        const trial = await startUnderResets(data)
        broken.push(...trial.broken.map((problem) => `start ${start}: ${problem}`))
        resets += trial.resets
      }
      return { tried: `${count} starts with ${OPEN_RUNS} open runs`, broken, figures: [`${resets} sockets were reset`] }
    }),
}

async function leaveRunsOpen(data: string): Promise<void> {
  const server = await startServer({ data })
  const runs = Array.from({ length: OPEN_RUNS }, (_, number) => `open-${number}`)
  await Promise.all(runs.map((id) => breakOff(server, id, async () => (await runAt(server, id)) !== undefined)))
  await server.kill()
}

async function startUnderResets(data: string) {
  const port = await freePort()
  const attack = resetting(port)
  const started = await startServer({ data }, port).catch((error: unknown) => String(error))
  await setTimeout(100)
  const resets = await attack.stop()
  if (typeof started === 'string') return { broken: [started], resets }
  const status = await ask(started, '/api/health').then((answer) => answer.status, String)
  const last = await runAt(started, `open-${OPEN_RUNS - 1}`)
  const broken = [
    ...(started.isAlive() && status === 200 ? [] : [`the server answers ${status}`]),
    ...(last?.state === 'waiting' ? [] : [`the last run is ${JSON.stringify(last)}`]),
  ]
  await started.kill()
  return { broken, resets }
}

/** Opens WebSockets on a port and resets them a moment later, until it is stopped. */
function resetting(port: number) {
  let isOn = true
  let resets = 0
  async function resetOn(): Promise<void> {
    while (isOn) {
      const socket = connect({ port })
      socket.once('connect', () => {
        socket.write(upgradeOf({ port, token: 'none' }, '/api/chat/ws'))
        resets++
      })
      await setTimeout(2)
      socket.resetAndDestroy()
    }
  }
  const done = Promise.all(Array.from({ length: AT_ONCE }, resetOn))
  return {
    async stop() {
      isOn = false
      await done
      return resets
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
