import { appendFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { anthropicMessages, countTokens } from './anthropic-messages.ts'
import type { Dialect, Frame } from './dialect.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { type Conversation, type Script, type Step, stepFor } from './script.ts'

const dialects = [countTokens, anthropicMessages, openaiChat, openaiResponses, gemini] as readonly Dialect[]

export type Provider = { readonly url: string; readonly port: number; readonly close: () => void }

/** The answer to a request, by what the request holds. */
export type StepOf = (conversation: Conversation, body: unknown) => Step

/** A provider on a free port of this machine that supports every dialect and answers by the script. */
export async function startProvider(script: Script | StepOf): Promise<Provider> {
  const server = createServer((request, response) => {
    answer(script, request, response).catch((error) => {
      console.error('The scripted provider failed:', error)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(script: Script | StepOf, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  const dialect = dialects.find(({ answers }) => answers(path))
  if (request.method !== 'POST' || dialect === undefined) {
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end('{"error":{"type":"not_found_error","message":"Not found"}}')
    return
  }
  const body = (await json(request)) as never
  logRequest(path, body)
  const conversation = dialect.conversationOf(body)
  const step = typeof script === 'function' ? script(conversation, body) : stepFor(script, conversation)
  if (!dialect.streams(body, path)) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(dialect.wholeOf(step, body)))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  for (const frame of dialect.framesOf(step, body)) {
    if (step.pause !== undefined) await sleep(step.pause)
    response.write(textOf(frame))
  }
  response.end()
}

function textOf({ event, data }: Frame): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
}

/** `RECORDERS_LOG` names a file for the requests, to see what a new version of a framework sends. */
function logRequest(path: string, body: unknown): void {
  const file = process.env.RECORDERS_LOG
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ path, body })}\n`)
}
