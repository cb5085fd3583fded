// The server as `millrace serve` starts it, but less patient: what is waited for in tests should not take minutes.

import { join } from 'node:path'
import { getLog } from '@millrace/server/log/index'
import { createServer } from '@millrace/server/server'
import { pretendFull } from './pretend-full.ts'
import type { Patience } from './server-process.ts'
import { fullMark } from './small-disk.ts'
import { ticking } from './ticking-agent.ts'

const [data = '', given = '{}'] = process.argv.slice(2)
const { stallAfter, heartbeat, resumeWithin } = JSON.parse(given) as Patience

const log = pretendFull(await getLog('sqlite').open({ folder: join(data, 'log') }), fullMark(data))
const server = await createServer({
  log,
  agents: [ticking],
  dataFolder: data,
  port: 0,
  resumeWithin,
  timing: {
    stallAfter,
    heartbeat,
    delay(ms, act) {
      const timer = setTimeout(act, ms)
      return () => clearTimeout(timer)
    },
  },
})
process.stdout.write(`${server.url}/?token=${encodeURIComponent(server.token)}\n`)
