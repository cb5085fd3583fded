import { z } from 'zod'
import { endpoints } from './endpoints/index.ts'
import { variablesIn } from './expanded.ts'
import type { HttpSpec } from './http-spec.ts'
import { defaultCallLimits } from './outbound/limits.ts'
import { readTarget } from './outbound/target.ts'

/** The fields of a file that only an agent behind an address has. */
export const endpointFields = {
  endpoint: z.enum(Object.keys(endpoints) as [keyof typeof endpoints, ...(keyof typeof endpoints)[]]).optional(),
  headers: z.record(z.string(), z.string().max(8192)).optional(),
  network: z.enum(['public', 'private']).optional(),
  assistant: z.string().min(1).max(200).optional(),
}

/** What such a file says, as far as it is read here. */
type HttpFile = z.output<z.ZodObject<typeof endpointFields>> & {
  readonly url: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly format?: string | undefined
  readonly framework?: string | undefined
  readonly env?: readonly string[] | undefined
  readonly limits?: { readonly [limit: string]: number | undefined } | undefined
}

/** What only programs have. */
const OF_PROGRAMS = [
  'dialect',
  'set',
  'cwd',
  'permissions',
  'instructions',
  'sandbox',
  'model',
  'mcp',
  'tools',
] as const

/** The request has them already, or they would change how it is framed. */
const OWN_HEADERS =
  /^(?:host|content-length|content-type|transfer-encoding|connection|accept-encoding|expect|upgrade)$/i

export function httpSpecOf(file: HttpFile, name: string): { readonly http: HttpSpec } | { readonly problem: string } {
  const stray = OF_PROGRAMS.find((field) => (file as { readonly [key: string]: unknown })[field] !== undefined)
  if (stray !== undefined) return { problem: `\`${stray}\` is not for an agent with a \`url\`.` }
  const { url, endpoint, title, description, format, framework = format, headers = {}, env = [], limits = {} } = file
  if (endpoint === undefined)
    return { problem: `An agent with a \`url\` needs an \`endpoint\`: ${Object.keys(endpoints).join(', ')}.` }
  if (limits.memory !== undefined) return { problem: '`limits.memory` is for programs.' }
  if (framework !== undefined && endpoints[endpoint].format !== undefined)
    return { problem: `\`format\` is for the endpoint \`any\`: ${endpoint} has its own.` }
  const read = readTarget(url, file.network)
  if ('problem' in read) return read
  const problem = headerProblem(headers, env)
  if (problem !== undefined) return { problem }
  return {
    http: {
      name,
      title: title ?? name,
      endpoint,
      target: read.target,
      headers,
      env,
      limits: { ...defaultCallLimits, ...limits },
      ...(description !== undefined && { description }),
      ...(framework !== undefined && { format: framework }),
      ...(file.assistant !== undefined && { assistant: file.assistant }),
    },
  }
}

/** Only listed variables are read, so that a file shows at one glance which secrets leave the machine. */
function headerProblem(headers: { readonly [name: string]: string }, env: readonly string[]): string | undefined {
  const own = env.find((name) => !/^[A-Za-z_]\w*$/.test(name) || name.startsWith('MILLRACE_'))
  if (own !== undefined) return `\`env\` cannot have ${own}.`
  for (const [header, value] of Object.entries(headers)) {
    if (OWN_HEADERS.test(header)) return `The header ${header} is set with each request.`
    const unlisted = variablesIn({ value }).find((name) => !env.includes(name))
    if (unlisted !== undefined) return `The header ${header} needs ${unlisted}, which \`env\` does not list.`
  }
  return undefined
}
