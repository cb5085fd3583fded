import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { NodeProcess } from './node-process.ts'

interface Answer {
  readonly status: number
  readonly body: {
    readonly rawRecords?: number
    readonly outcome?: string
    readonly error?: { readonly code: string }
  }
}

/** A producer elsewhere, which sends its records to a node one by one. */
export interface Producer {
  write(...records: readonly object[]): void
  end(): void
  /** Breaks its connection off. */
  cut(): void
  /** What the node answers, which may come before the end; undefined if the connection was cut. */
  readonly answer: Promise<Answer | undefined>
}

export function produce({ url, token }: NodeProcess, query: string): Producer {
  const headers = { authorization: `Bearer ${token}` }
  const sent = request(`${url}/api/ingest?${query}`, { method: 'POST', headers })
  return {
    write(...records) {
      for (const record of records) sent.write(`${JSON.stringify(record)}\n`)
    },
    end: () => void sent.end(),
    cut: () => void sent.destroy(),
    answer: answerTo(sent).catch(() => undefined),
  }
}

async function answerTo(sent: ClientRequest): Promise<Answer> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const answer = { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) }
  sent.on('error', () => undefined).destroy()
  return answer
}

export interface Command {
  readonly number: number
  readonly type: string
  readonly [field: string]: unknown
}

/** The commands of a run as its producer hears them, from a node. Resolves once the node has answered. */
export async function follow(node: NodeProcess, runId: string): Promise<readonly Command[]> {
  const heard: Command[] = []
  const answer = await node.ask(`/api/runs/${runId}/commands`)
  const read = async () => {
    let rest = ''
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const frames = `${rest}${piece}`.split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1]
        if (data !== undefined) heard.push(JSON.parse(data))
      }
    }
  }
  read().catch(() => undefined)
  return heard
}
