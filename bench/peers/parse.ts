import { parsers } from '@millrace/core/parse'
import { createReader } from '@millrace/core/read'
import { getSource } from '@millrace/core/source'
import { loadPeer } from './packages.ts'
import type { Peer } from './peer.ts'
import { oneResponse, type ProviderResponse } from './provider-response.ts'
import { lastOf, streamOf } from './web-streams.ts'

const CHUNK = 4096

const pieceAt = ({ bytes }: ProviderResponse, index: number) => bytes.subarray(index * CHUNK, (index + 1) * CHUNK)
const piecesIn = ({ bytes }: ProviderResponse) => Math.ceil(bytes.length / CHUNK)

function bodyOf(response: ProviderResponse): ReadableStream<Uint8Array<ArrayBuffer>> {
  return streamOf(piecesIn(response), (index) => pieceAt(response, index))
}

const answering = (response: ProviderResponse) => async () =>
  new Response(bodyOf(response), { headers: { 'content-type': 'text/event-stream' } })

/** Reads a response and gives the last thing that it made of it. */
type ReadResponse = (response: ProviderResponse) => unknown

interface EventSourceParser {
  createParser(callbacks: { onEvent(event: { data: string }): void }): { feed(text: string): void }
}

interface Anthropic {
  readonly Anthropic: new (options: {
    apiKey: string
    fetch: unknown
  }) => {
    readonly messages: { create(body: object): Promise<AsyncIterable<unknown>> }
  }
}

interface AiAnthropic {
  createAnthropic(options: { apiKey: string; fetch: unknown }): (model: string) => {
    doStream(options: object): Promise<{ stream: ReadableStream<{ type: string; error?: unknown }> }>
  }
}

async function loadTransport(): Promise<ReadResponse> {
  const { createParser } = await loadPeer<EventSourceParser>('eventsource-parser')
  return (response) => {
    let last: unknown
    const parser = createParser({
      onEvent({ data }) {
        last = JSON.parse(data)
      },
    })
    const decoder = new TextDecoder()
    for (let index = 0; index < piecesIn(response); index++) {
      parser.feed(decoder.decode(pieceAt(response, index), { stream: true }))
    }
    return last
  }
}

async function loadAnthropic(): Promise<ReadResponse> {
  const { Anthropic } = await loadPeer<Anthropic>('@anthropic-ai/sdk')
  const messages = [{ role: 'user', content: 'go' }]
  return async (response) => {
    const client = new Anthropic({ apiKey: 'none', fetch: answering(response) })
    return lastOf(await client.messages.create({ model: 'bench', max_tokens: 1, messages, stream: true }))
  }
}

async function loadAiAnthropic(): Promise<ReadResponse> {
  const { createAnthropic } = await loadPeer<AiAnthropic>('@ai-sdk/anthropic')
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }]
  return async (response) => {
    const model = createAnthropic({ apiKey: 'none', fetch: answering(response) })('claude-sonnet-4-5')
    const { stream } = await model.doStream({ prompt })
    let last: unknown
    for await (const part of stream) {
      if (part.type === 'error') throw new Error(`it could not read the response: ${JSON.stringify(part.error)}`)
      last = part
    }
    return last
  }
}

function readOurs({ bytes }: ProviderResponse): unknown {
  const source = getSource('sse')()
  const reader = createReader(parsers['anthropic-messages'])
  for (let at = 0; at < bytes.length; at += CHUNK) {
    for (const record of source.feed(bytes.subarray(at, at + CHUNK))) reader.push(record)
  }
  for (const record of source.end()) reader.push(record)
  return reader.end().at(-1)
}

function peerOf(name: string, load: () => Promise<ReadResponse>, lastType: string): Peer {
  const trial = {
    row: '3',
    what: name,
    async prepare() {
      const response = oneResponse()
      const read = await load()
      return {
        floor() {
          let last: unknown
          for (const payload of response.payloads) last = JSON.parse(payload)
          return last
        },
        peer: () => read(response),
        fault: (result: unknown) =>
          (result as { type?: string } | undefined)?.type === lastType
            ? undefined
            : `it ends with ${JSON.stringify(result)}, not with ${lastType}`,
      }
    },
  }
  return { name, trials: [trial] }
}

export const parse: readonly Peer[] = [
  peerOf('millrace, one Anthropic response of 1 MB', async () => readOurs, 'run-end'),
  peerOf('eventsource-parser and JSON.parse, no events', loadTransport, 'message_stop'),
  peerOf('Anthropic SDK iterator, not normalized', loadAnthropic, 'message_stop'),
  peerOf('@ai-sdk/anthropic doStream', loadAiAnthropic, 'finish'),
]
