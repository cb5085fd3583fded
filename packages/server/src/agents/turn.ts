import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChatEvent } from '@millrace/core/fold'
import type { AgentRequest, AgentSession } from '../run/agent.ts'
import type { ProcessSpec } from './spec.ts'

/** One run of a program, as a dialect needs it. */
export interface Turn {
  readonly request: AgentRequest
  readonly spec: ProcessSpec
  /** What the person says; before it, what the program's own conversation does not contain. */
  readonly prompt: string
  readonly files: readonly SavedFile[]
  /** The conversation to continue. */
  readonly session: AgentSession | undefined
}

export interface SavedFile {
  readonly id: string
  readonly path: string
  readonly mediaType: string
}

/** Stores the person's files where the program can read them. */
export async function saveFiles(request: AgentRequest, work: string): Promise<readonly SavedFile[]> {
  const folder = join(work, 'files')
  const files = request.input.files ?? []
  if (files.length > 0) await mkdir(folder, { recursive: true, mode: 0o700 })
  return Promise.all(
    files.map(async ({ id, mediaType, filename }) => {
      // The name is a client's: only what cannot leave the folder is kept of it.
      const path = join(folder, `${id}-${(filename ?? 'file').replaceAll(/[^\w.-]/g, '_').slice(-80)}`)
      await writeFile(path, await request.file(id), { mode: 0o600 })
      return { id, path, mediaType }
    }),
  )
}

/** The person's words, after the turns that the conversation lacks, and with the files that go by their path. */
export function promptOf(
  { input, history }: AgentRequest,
  session: AgentSession | undefined,
  paths: readonly SavedFile[],
): string {
  const last = session === undefined ? -1 : history.findLastIndex(({ runId }) => runId === session.runId)
  const earlier = markdownOf(history.slice(last + 1))
  const attached = paths.map(({ path }) => `Attached file: ${path}`)
  const words = [input.text, ...attached].filter((text) => text !== '').join('\n\n')
  return earlier === '' ? words : `The conversation so far:\n\n${earlier}\n\n---\n\n${words}`
}

const MOST = 200_000

function markdownOf(history: readonly ChatEvent[]): string {
  const messages = history.flatMap(({ role, segments }) => {
    const text = segments.flatMap((segment) => textOf(segment)).join('\n\n')
    return text === '' ? [] : [`**${role === 'user' ? 'User' : 'Assistant'}:** ${text}`]
  })
  return messages.join('\n\n').slice(-MOST)
}

function textOf(segment: ChatEvent['segments'][number]): readonly string[] {
  if (segment.type === 'text') return segment.text === '' ? [] : [segment.text]
  return segment.type === 'tool' ? [`[called ${segment.name}]`] : []
}
