import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { optionsFor } from './asking.ts'
import { createFrames, type Frame, frameOfMessage } from './frames.ts'
import type { Address } from './server-process.ts'

export interface Watch {
  readonly server: Address
  /** Other servers, to which it connects in turn when a connection is lost. */
  readonly elsewhere?: readonly Address[]
  /** How long a connection over SSE may be silent before it counts as lost, in ms; without it, for ever. */
  readonly silentFor?: number
  readonly runId: string
  readonly wire: string
  readonly by: 'sse' | 'websocket'
  /** Where to begin; from the first frame without it. */
  readonly after?: string
  /** After how many bytes the viewer cuts its connection, for each connection; without it, never. */
  readonly cutAfter?: () => number
  /** Called at each such cut. */
  readonly onCut?: () => void
  /** The first connection is opened, but not read until this resolves. */
  readonly stall?: Promise<void>
  /** What is kept of each frame; default: all of it. */
  readonly keep?: (frame: Frame) => Frame
  readonly onFrame?: (frame: Frame) => void
  /** How long it may take, in ms. */
  readonly patience?: number
}

export interface Watched {
  readonly frames: readonly Frame[]
  readonly connections: number
  /** It had every chunk when it came back: such a viewer is answered that nothing follows, and gets no mark of the end. */
  readonly hadAll: boolean
}

/** Before a viewer comes back that was cut by others, in ms: a server that starts needs the processor itself. */
const LOST_PAUSE = 25

export const transports = ['sse', 'websocket'] as const satisfies readonly Watch['by'][]

type Fate = 'ended' | 'nothing-follows' | 'cut'
type Connect = (watch: Watch, cursor: string | undefined, take: (frame: Frame) => void) => Promise<Fate>

/** Watches a run until its end, and reconnects with its last cursor whenever the connection is lost. */
export async function watch(options: Watch): Promise<Watched> {
  const { by, after, elsewhere = [], keep = (frame: Frame) => frame, onFrame, patience = 60_000 } = options
  const deadline = Date.now() + patience
  const frames: Frame[] = []
  let cursor = after
  let connections = 0
  const take = (frame: Frame) => {
    frames.push(keep(frame))
    cursor = frame.id ?? cursor
    onFrame?.(frame)
  }
  while (Date.now() < deadline) {
    const { stall, ...rest } = options
    const server = [options.server, ...elsewhere][connections % (1 + elsewhere.length)] as Address
    const first = connections === 0 && stall !== undefined ? { stall } : {}
    const fate = await connects[by]({ ...rest, ...first, server }, cursor, take)
    connections++
    if (fate !== 'cut') return { frames, connections, hadAll: fate === 'nothing-follows' }
    await setTimeout(options.cutAfter === undefined ? LOST_PAUSE : 0)
  }
  throw new Error(`A viewer over ${by} did not see the end of ${options.runId} in ${connections} connections.`)
}

const connectBySse: Connect = ({ server, runId, wire, cutAfter, onCut, stall, silentFor }, cursor, take) =>
  new Promise((resolve, reject) => {
    const options = optionsFor(server, `/api/runs/${runId}/stream?wire=${wire}`)
    const resume = cursor === undefined ? {} : { 'last-event-id': cursor }
    const outgoing = request({ ...options, headers: { ...(options.headers as object), ...resume } })
    const lost = () => resolve('cut')
    outgoing.on('error', lost)
    if (silentFor !== undefined) outgoing.setTimeout(silentFor, () => outgoing.destroy())
    outgoing.on('response', async (response) => {
      response.on('error', lost).on('close', lost)
      if (response.statusCode === 204) return resolve('nothing-follows')
      // The producer may come later than the viewer, and the store may be away.
      if (response.statusCode === 404 || response.statusCode === 503) return response.resume()
      if (response.statusCode !== 200) return reject(new Error(`A stream was answered with ${response.statusCode}.`))
      const framesOf = createFrames()
      let bytesLeft = cutAfter?.() ?? Number.POSITIVE_INFINITY
      await stall
      response.on('data', (bytes: Uint8Array) => {
        if (bytesLeft <= 0) return
        for (const frame of framesOf(bytes.subarray(0, bytesLeft))) take(frame)
        bytesLeft -= bytes.length
        if (bytesLeft > 0) return
        outgoing.destroy()
        onCut?.()
      })
      response.on('end', () => resolve(response.complete && bytesLeft > 0 ? 'ended' : 'cut'))
    })
    outgoing.end()
  })

const connectBySocket: Connect = ({ server: { port, token }, runId, wire, cutAfter, onCut }, cursor, take) =>
  new Promise((resolve) => {
    const after = cursor === undefined ? '' : `&after=${cursor}`
    const url = `ws://127.0.0.1:${port}/api/runs/${runId}/ws?wire=${wire}${after}`
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } })
    let bytesLeft = cutAfter?.() ?? Number.POSITIVE_INFINITY
    socket.addEventListener('message', ({ data }) => {
      if (bytesLeft <= 0) return
      bytesLeft -= String(data).length
      const frame = bytesLeft > 0 ? frameOfMessage(String(data)) : undefined
      if (frame !== undefined) take(frame)
      if (bytesLeft > 0) return
      socket.close()
      onCut?.()
    })
    socket.addEventListener('error', () => resolve('cut'))
    socket.addEventListener('close', ({ code }) => resolve(code === 1000 && bytesLeft > 0 ? 'ended' : 'cut'))
  })

const connects: { readonly [By in Watch['by']]: Connect } = { sse: connectBySse, websocket: connectBySocket }
