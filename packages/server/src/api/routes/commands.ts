import { ApiError, newMessageId, type RunMessage, type RunMessages, type SteeredMessage } from '@millrace/core/api'
import { z } from 'zod'
import { streamCommands } from '../../deliver/commands-stream.ts'
import { sseHeaders } from '../../deliver/sse.ts'
import type { StoredRun } from '../../log/log.ts'
import { checkApplied } from '../../run/ask.ts'
import { type LoggedMessage, messagesOf } from '../../run/run-messages.ts'
import type { Runs } from '../../run/runs.ts'
import { apiHeaders } from '../headers.ts'
import { filesOf } from '../message-files.ts'
import { checked, readJson } from '../request.ts'
import { json, respondWith } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { countShape, fileShape, idShape } from '../shapes.ts'
import { runOf } from './runs.ts'

const messageShape = z
  .object({
    text: z.string().default(''),
    files: z.array(fileShape).max(100).default([]),
    messageId: idShape.optional(),
    when: z.enum(['now', 'next']).default('now'),
    by: z.string().max(200).optional(),
  })
  .refine(({ text, files }) => text.trim() !== '' || files.length > 0, 'there is nothing in it')

/** What a person says to an agent that runs. */
async function sendMessage(context: Context, services: Services): Promise<Response> {
  const { log, runs, files, limits } = services
  const run = await runOf(context, log)
  const { messageId = newMessageId(), when, by, text, ...asked } = await readJson(context, limits, messageShape)
  if (run.state === 'ended') throw new ApiError(409, 'run-closed', 'The run has ended: start another one.')
  const stored = await filesOf(files, asked.files)
  const command = { type: 'steer', messageId, text, when, ...(stored.length > 0 && { files: stored }) } as const
  const { result } = await runs.tell(run.id, { command, key: `steer ${messageId}`, ...(by !== undefined && { by }) })
  checkApplied(result, run.id)
  return context.json({ messageId, delivered: deliveryOf(runs, run, when) } satisfies SteeredMessage, 202)
}

const deliveryOf = (runs: Runs, run: StoredRun, when: SteeredMessage['delivered']) =>
  when === 'now' && canSteer(runs, run) ? 'now' : 'next'

/** A producer elsewhere hears of a message when it is applied; an agent of this server must be made for it. */
function canSteer(runs: Runs, { agent }: StoredRun): boolean {
  return agent === undefined || runs.agents().find(({ name }) => name === agent)?.can?.steer === true
}

/** What persons have said to the run, and what has become of it. */
async function listMessages(context: Context, { log, runs }: Services): Promise<Response> {
  const run = await runOf(context, log)
  const messages = (await messagesOf(log, run.id)).map(
    ({ command: { messageId, text, files, when }, state }): RunMessage => ({
      messageId,
      text,
      ...(files !== undefined && { files }),
      delivered: deliveryOf(runs, run, when),
      state: stateIn(run, state),
    }),
  )
  return json<RunMessages>(context, { messages })
}

/** Nobody takes a message after the end: a success hands it to the next run. */
function stateIn({ state, outcome }: StoredRun, logged: LoggedMessage['state']): RunMessage['state'] {
  if (logged !== 'waiting' || state !== 'ended') return logged
  return outcome === 'success' ? 'moved' : 'dropped'
}

async function takeBack(context: Context, { log, runs }: Services): Promise<Response> {
  const { id } = await runOf(context, log)
  const messageId = checked(context.req.param('messageId'), idShape)
  const { number, result } = await runs.tell(id, { command: { type: 'take-back', messageId } })
  checkApplied(result, messageId)
  return result === undefined ? context.json({ number }, 202) : context.json({ messageId })
}

/** What is asked of the run, for its producer elsewhere. */
async function commands(context: Context, services: Services): Promise<Response> {
  const { log, runs, timing } = services
  const { id: runId, agent } = await runOf(context, log)
  if (agent !== undefined) throw new ApiError(409, 'not-ingested', 'An agent of this server hears them itself.')
  const after = checked(context.req.header('last-event-id') ?? context.req.query('after') ?? '0', countShape(1e15))
  if (context.req.method === 'HEAD') return context.body(null, 200, sseHeaders)
  return respondWith(context, services, async (sink) => {
    const leave = await runs.follow(runId)
    sink.closed.addEventListener('abort', leave)
    if (sink.closed.aborted) return leave()
    await streamCommands({ log, runId, after, sink, timing, headers: apiHeaders })
  })
}

export const commandRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/runs/:id/messages', policy: 'token', handle: sendMessage },
  { method: 'GET', path: '/api/runs/:id/messages', policy: 'token', handle: listMessages },
  { method: 'DELETE', path: '/api/runs/:id/messages/:messageId', policy: 'token', handle: takeBack },
  { method: 'GET', path: '/api/runs/:id/commands', policy: 'token', handle: commands },
]
