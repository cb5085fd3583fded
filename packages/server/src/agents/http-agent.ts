import type { lookup } from 'node:dns'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { AgentFailure } from '@millrace/core/agent'
import type { AgentTrouble } from '@millrace/core/api'
import type { Agent, AgentCheck, AgentHost, AgentRequest, AgentSession } from '../run/agent.ts'
import type { HttpTurn, SentFile } from './endpoints/endpoint.ts'
import { endpoints } from './endpoints/index.ts'
import { runHttp } from './http-run.ts'
import type { HttpSpec } from './http-spec.ts'
import { overCallLimit } from './outbound/limits.ts'
import { send } from './outbound/send.ts'
import { Refused } from './outbound/wire.ts'
import { warning } from './process-run.ts'
import { openTrace } from './trace.ts'
import { promptOf } from './turn.ts'

export interface HttpOptions {
  /** Holds a folder for each thread; traces are beside it. */
  readonly threads: string
  readonly environment?: NodeJS.ProcessEnv
  /** How names become addresses. */
  readonly lookup?: typeof lookup
  /** Before a request is repeated, in ms. */
  readonly pauses?: readonly number[]
}

/** A service as an agent. It is called when a run is started, and when a person asks whether it is there. */
export function createHttpAgent(spec: HttpSpec, options: HttpOptions): Agent {
  const { environment = process.env, threads, lookup, pauses } = options
  const { name, limits, target } = spec
  const endpoint = endpoints[spec.endpoint]
  const { can } = endpoint
  let runs = 0

  const headers = () => headersOf(spec, environment)
  const optional = { ...(lookup !== undefined && { lookup }), ...(pauses !== undefined && { pauses }) }

  async function* perform(request: AgentRequest, host: AgentHost, session: AgentSession | undefined) {
    const sent = headers()
    if ('problem' in sent) throw new AgentFailure('agent-unavailable', sent.problem)
    const isNew = can.session !== undefined && session === undefined && request.history.length > 0
    if (isNew && request.attempt === 1)
      await host.add([warning(`${name} begins a new conversation; what was said before is part of its first message.`)])
    const turn: HttpTurn = {
      request,
      spec,
      session: session?.id,
      prompt: can.session === undefined ? request.input.text : promptOf(request, session, []),
      files: await filesOf(request, name),
      keepSession: (id) => host.session(id),
    }
    const wire = { name, target, limits, ...sent, ...optional, trace: openTrace(threads, request.runId) }
    // A run that waits for a person is no burden.
    const onWaiting = (isWaiting: boolean) => {
      runs += isWaiting ? -1 : 1
    }
    yield* runHttp({ turn, host, wire, onWaiting })
  }

  async function* run(request: AgentRequest, host: AgentHost): AsyncGenerator<Uint8Array> {
    if (runs >= limits.runs) throw overCallLimit(name, 'runs', limits)
    runs++
    try {
      const session = request.session?.isFork === true ? undefined : request.session
      if (session === undefined) return yield* perform(request, host, undefined)
      try {
        yield* perform(request, host, session)
      } catch (error) {
        // The service has forgotten the conversation.
        if (!(error instanceof Refused) || error.status !== 404) throw error
        yield* perform(request, host, undefined)
      }
    } finally {
      runs--
    }
  }

  return {
    name,
    title: spec.title,
    ...(spec.description !== undefined && { description: spec.description }),
    kind: 'http',
    can,
    format: spec.format ?? endpoint.format ?? 'any',
    framing: 'sse',
    run,
    unavailable() {
      const sent = headers()
      return 'problem' in sent ? sent.problem : undefined
    },
    trouble(): AgentTrouble | undefined {
      const variables = missingIn(spec, environment)
      return variables.length === 0 ? undefined : { kind: 'key', variables }
    },
    check: () => checkEndpoint(spec, headers(), lookup),
  }
}

const CHECK_WITHIN = 10_000

/** Asks the service for something that starts nothing. */
async function checkEndpoint(
  spec: HttpSpec,
  sent: ReturnType<typeof headersOf>,
  lookup: HttpOptions['lookup'],
): Promise<AgentCheck> {
  if ('problem' in sent) return { isReady: false, message: sent.problem }
  const { name, target } = spec
  const endpoint: { check?(of: HttpSpec): URL } = endpoints[spec.endpoint]
  const url = endpoint.check?.(spec) ?? target.url
  const signal = AbortSignal.timeout(CHECK_WITHIN)
  const options = { name, target, headers: sent.headers, signal, ...(lookup !== undefined && { lookup }) }
  try {
    const asked = await send({ method: 'GET', url }, options)
    asked.close()
    // Routes that take a POST alone are often hidden from a GET, but say what they take.
    const isHidden = asked.status === 404 && endpoint.check === undefined
    const { status, close } = isHidden ? await send({ method: 'OPTIONS', url }, options) : asked
    close()
    const shown = isHidden && status >= 400 ? asked.status : status
    // Most services refuse a GET: they are there.
    return {
      isReady: shown < 500 && ![401, 403, 404].includes(shown),
      message: `${url.host} answers with status ${shown}.`,
    }
  } catch (error) {
    const isLate = signal.aborted
    return { isReady: false, message: isLate ? `${url.host} does not answer in time.` : (error as Error).message }
  }
}

type Headers =
  | { readonly headers: { readonly [name: string]: string }; readonly secrets: readonly string[] }
  | { readonly problem: string }

const SHORTEST_SECRET = 8

const missingIn = ({ env }: Pick<HttpSpec, 'env'>, environment: NodeJS.ProcessEnv): readonly string[] =>
  env.filter((variable) => (environment[variable] ?? '') === '')

/** The headers with the values of the environment: only of variables that the file lists. */
function headersOf({ name, headers, env }: HttpSpec, environment: NodeJS.ProcessEnv): Headers {
  const [missing] = missingIn({ env }, environment)
  if (missing !== undefined) return { problem: `${name} needs the environment variable ${missing}.` }
  const secrets = env
    .flatMap((variable) => environment[variable] ?? [])
    .filter((value) => value.length >= SHORTEST_SECRET)
  const filled: { [header: string]: string } = {}
  for (const [header, text] of Object.entries(headers)) {
    const value = text.replaceAll(/\$\{(\w+)(?::-[^}]*)?\}/g, (_text, variable: string) => environment[variable] ?? '')
    try {
      validateHeaderName(header)
      validateHeaderValue(header, value)
    } catch {
      return { problem: `The header ${header} of ${name} has a character that no header may have.` }
    }
    filled[header.toLowerCase()] = value
  }
  // The longest first: one value may contain another.
  return { headers: filled, secrets: secrets.sort((a, b) => b.length - a.length) }
}

const MOST_FILES = 32 * 1024 * 1024

async function filesOf({ input, file }: AgentRequest, name: string): Promise<readonly SentFile[]> {
  let size = 0
  const sent: SentFile[] = []
  for (const { id, mediaType, filename } of input.files ?? []) {
    const bytes = await file(id)
    size += bytes.length
    if (size > MOST_FILES) throw new AgentFailure('too-large', `${name} takes files of at most 32 MB in all.`)
    const base64 = Buffer.from(bytes).toString('base64')
    sent.push({ mediaType, base64, ...(filename !== undefined && { filename }) })
  }
  return sent
}
