// The whole way of an event in a process of its own: from a producer's body through the disk to the viewers.

import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { sqlite } from '@millrace/server/log/sqlite'
import { openForWriting } from '@millrace/server/log/sqlite/database'
import { createServer } from '@millrace/server/server'
import type { WholeOrder, WholeSetup, WholeWords } from './words.ts'

const { serving, folder, linesPerCommit } = JSON.parse(process.argv[2] ?? '{}') as WholeSetup
const say = (words: WholeWords) => process.send?.(words)
let commits = 0

/** Whether the message to a thread of the log holds appends: such a message is one commit. */
const isCommit = (message: unknown) =>
  typeof message === 'string'
    ? message.startsWith('[')
    : Array.isArray(message) && message.some((request: { readonly name: string }) => request.name === 'append')

async function serveOurs(): Promise<void> {
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (this: Worker, ...message: Parameters<Worker['postMessage']>) {
    if (isCommit(message[0])) commits++
    return postMessage.apply(this, message)
  }
  const log = await sqlite.open({ folder: join(folder, 'log') })
  const { url, token } = await createServer({ log, agents: [], dataFolder: folder, port: 0 })
  say({ url, token })
}

interface FloorRun {
  readonly number: number
  readonly viewers: ServerResponse[]
  seq: number
  left: number
}

/** The floor: lines are split and parsed, stored in the same tables in commits of the same size, and written to viewers. */
function serveFloor(): void {
  const database = openForWriting(join(folder, 'log'))
  database.exec("INSERT INTO threads VALUES ('t', '', 0, 0, 1)")
  const addRun = database.prepare(
    `INSERT INTO runs (id, thread_id, format, parser_version, attempt, state, last_at, created_at)
     VALUES (?, 't', 'f', 1, 1, 'live', 0, 0)`,
  )
  const addEntry = database.prepare("INSERT INTO entries VALUES (?, ?, ?, '', ?)")
  const addInput = database.prepare("INSERT INTO inputs VALUES (?, ?, 'utf-8', NULL, ?)")
  const runs = new Map<string, FloorRun>()
  let waiting: { readonly run: FloorRun; readonly seq: number; readonly line: string }[] = []

  function runAt(id: string): FloorRun {
    const existing = runs.get(id)
    if (existing !== undefined) return existing
    const run = { number: Number(addRun.run(id).lastInsertRowid), viewers: [], seq: 0, left: 0 }
    runs.set(id, run)
    return run
  }

  function commit(): void {
    const stored = waiting
    waiting = []
    database.exec('BEGIN IMMEDIATE')
    for (const { run, seq, line } of stored) {
      addEntry.run(run.number, seq, seq, line)
      addInput.run(run.number, seq, Buffer.from(line))
    }
    database.exec('COMMIT')
    commits++
    for (const { run, seq, line } of stored) {
      for (const viewer of run.viewers) viewer.write(`data: ${line}\nid: ${seq}\n\n`)
    }
  }

  function take(run: FloorRun, line: string): void {
    JSON.parse(line)
    waiting.push({ run, seq: ++run.seq, line })
    if (waiting.length >= linesPerCommit) commit()
  }

  const server = createHttpServer((request, response) => {
    const run = runAt(request.url ?? '')
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      run.viewers.push(response)
      return
    }
    let rest = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) take(run, line)
    })
    request.on('end', () => {
      if (waiting.length > 0) commit()
      for (const viewer of run.viewers) viewer.end()
      response.end()
    })
  })
  server.listen(0, '127.0.0.1', () =>
    say({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: '' }),
  )
}

process.on('message', ({ do: what }: WholeOrder) => {
  const { user, system } = process.cpuUsage()
  if (what === 'figures') say({ cpu: user + system, commits })
})

if (serving === 'ours') await serveOurs()
else serveFloor()
