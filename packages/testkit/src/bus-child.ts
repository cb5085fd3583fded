import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { BusMember } from '@millrace/server/bus'
import type { ChildOptions, ChildOrder } from './bus-processes.ts'

/** A process with a bus: prints the messages of a topic, and publishes what it is asked to, until its input ends. */

const { module, name, url, scope, topic } = JSON.parse(process.argv[2] ?? '') as ChildOptions
const member = ((await import(module)) as { readonly [name: string]: BusMember })[name]
if (member === undefined) throw new Error(`${module} has no ${name}.`)

const print = (message: string) => writeSync(1, `${JSON.stringify(message)}\n`)
const bus = await member.open({ url, scope, report: () => undefined })
const orders = createInterface({ input: process.stdin })
orders.on('line', (line) => {
  const { to, messages } = JSON.parse(line) as ChildOrder
  for (const message of messages) bus.publish(to, message)
})
// Also before it is ready: its parent may be gone, and the server with it.
orders.on('close', async () => {
  await bus.close()
  process.exit()
})
bus.subscribe(topic, print)
await bus.ready()
print('ready')
