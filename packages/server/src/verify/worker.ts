import { parentPort } from 'node:worker_threads'
import type { Order } from './checker.ts'
import { type Checks, createChecks } from './checks.ts'

/** A thread that compares: reading and folding a long run again would block the server for seconds. */

const port = parentPort
if (port === null) throw new Error('This module is the thread of a verification.')
let checks: Checks | undefined

port.on('message', (order: Order) => port.postMessage(answerTo(order)))

function answerTo(order: Order): unknown {
  if (order === 'end-log') return checks?.endLog()
  if (order === 'end') {
    const findings = checks?.end()
    checks = undefined
    return findings
  }
  if (order.of !== 'start') return checks?.push(order)
  checks = createChecks(order.run)
  return undefined
}
