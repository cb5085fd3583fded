import { present } from '../../data/present.ts'
import { isText, type Json } from '../../json.ts'
import { observationText } from '../../meaning/pane-routes.ts'
import { toolKindOf } from '../../meaning/tool-kinds.ts'
import type { ChatEvent, FileSegment, Segment } from '../shapes.ts'
import { callsOf, endedBy, type Moment } from './calls.ts'
import type { FileState } from './file-state.ts'

/** A file that the agent made for a person: it sent it, or it wrote a document. */
export interface Artifact {
  /** The id of the sent file, or the path of the written one. */
  readonly id: string
  readonly name: string
  readonly mediaType: string
  /** The content: an address, bytes as base64, or a text. */
  readonly url?: string
  readonly bytes?: string
  readonly text?: string
  readonly runId: string
  readonly seqs: readonly [first: number, last: number]
  readonly callId?: string
  readonly toolName?: string
  /** Absent: no call made it. */
  readonly step?: number
  readonly endedAt?: number
}

/** A page that a call fetched. */
export interface Visit {
  readonly url: string
  readonly runId: string
  readonly callId: string
  readonly seqs: readonly [first: number, last: number]
  readonly step: number
  /** Absent: it could not be read. */
  readonly characters?: number
}

/** The media types of documents that are written as text. */
const documents: { readonly [extension: string]: string } = {
  html: 'text/html',
  htm: 'text/html',
  svg: 'image/svg+xml',
  md: 'text/markdown',
  csv: 'text/csv',
}

/** Sent files in the order of the chat, then documents that were written. Files of the user are not the agent's. */
export function artifactsOf(
  chatEvents: readonly ChatEvent[],
  files: readonly FileState[],
  upTo?: Moment,
): readonly Artifact[] {
  const isBy = isReachedBy(chatEvents, upTo)
  const begun = callsOf(chatEvents).filter(({ runId, segment }) => isBy(runId, segment.seqs[0]))
  const calls = new Map(begun.map((call) => [`${call.runId} ${call.segment.callId}`, call] as const))
  const sent = chatEvents.flatMap(({ runId, role, state, segments }) => {
    if (role === 'user' || state === 'retracted') return []
    return sentFiles(segments)
      .filter(({ seqs }) => isBy(runId, seqs[1]))
      .map((file) => sentArtifact(runId, file, calls.get(`${runId} ${file.callId}`)))
  })
  return [...sent, ...files.flatMap(writtenArtifact)]
}

type MadeBy = { readonly step: number; readonly segment: { readonly name: string } } | undefined

function sentArtifact(runId: string, file: FileSegment, call: MadeBy): Artifact {
  const { fileId: id, filename, mediaType, url, bytes, callId, seqs, startedAt } = file
  const extra = { url, bytes, callId, toolName: call?.segment.name, step: call?.step }
  return {
    id,
    name: filename ?? url?.split(/[?#]/)[0]?.split('/').at(-1) ?? mediaType,
    mediaType,
    runId,
    seqs,
    endedAt: startedAt,
    ...present(extra),
  }
}

function sentFiles(segments: readonly Segment[]): readonly FileSegment[] {
  return segments.flatMap((segment) => {
    if (segment.type === 'file') return [segment]
    return segment.type === 'subagent' ? sentFiles(segment.segments) : []
  })
}

function writtenArtifact({ path, status, now, versions }: FileState): readonly Artifact[] {
  const name = path.split('/').at(-1) ?? path
  const extension = name.split('.').at(-1)?.toLowerCase() ?? ''
  const mediaType = Object.hasOwn(documents, extension) ? documents[extension] : undefined
  const last = versions.at(-1)
  const isMade = status === 'added' || status === 'written'
  if (!isMade || mediaType === undefined || last === undefined || typeof now !== 'object') return []
  const { runId, seq, callId, toolName, step, endedAt } = last
  return [
    {
      id: path,
      name,
      mediaType,
      text: now.text,
      runId,
      seqs: [seq, seq],
      callId,
      toolName,
      step,
      ...present({ endedAt }),
    },
  ]
}

/** The pages that calls fetched, each once, by the last call. */
export function visitsOf(chatEvents: readonly ChatEvent[], upTo?: Moment): readonly Visit[] {
  const visits = new Map<string, Visit>()
  for (const { segment, runId, step } of endedBy(callsOf(chatEvents), upTo)) {
    if (toolKindOf(segment) !== 'fetch') continue
    const text = segment.state === 'done' ? observationText(segment.output) : ''
    const { callId, seqs } = segment
    for (const url of addressesIn(segment.input)) {
      visits.set(url, {
        url,
        runId,
        callId,
        seqs,
        step,
        ...present({ characters: text === '' ? undefined : text.length }),
      })
    }
  }
  return [...visits.values()]
}

function addressesIn(input: Json | undefined): readonly string[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return []
  const values = Object.values(input).flat(1)
  return [...new Set(values.filter(isText).filter((value) => /^https?:\/\/\S+$/.test(value)))]
}

function isReachedBy(
  chatEvents: readonly ChatEvent[],
  upTo: Moment | undefined,
): (runId: string, seq: number) => boolean {
  if (upTo === undefined) return () => true
  const runs = [...new Set(chatEvents.map(({ runId }) => runId))]
  const at = runs.indexOf(upTo.runId)
  return (runId, seq) => (runId === upTo.runId ? seq <= upTo.seq : at === -1 || runs.indexOf(runId) < at)
}
