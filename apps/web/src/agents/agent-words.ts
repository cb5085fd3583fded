import type { AgentAbilities, AgentInfo } from '@millrace/core/client'
import { splitAgents } from '@millrace/react'

/** How an agent stands, in the order of what has to be done. */
export type Health = 'ready' | NonNullable<AgentInfo['trouble']>['kind'] | 'other'

export function healthOf({ unavailable, trouble }: AgentInfo): Health {
  return trouble?.kind ?? (unavailable === undefined ? 'ready' : 'other')
}

export const healthTitles: { readonly [name in Health]: string } = {
  ready: 'Available',
  key: 'Key missing',
  program: 'Not found',
  file: 'File with an error',
  other: 'Not available',
}

/** One line on why it stands so. */
export function healthFact({ unavailable, trouble }: AgentInfo): string | undefined {
  if (trouble?.kind === 'key') return notSet(trouble.variables)
  return unavailable === undefined ? undefined : plainText(unavailable)
}

export const notSet = (variables: readonly string[]): string =>
  `${variables.join(', ')} ${variables.length === 1 ? 'is' : 'are'} not set`

/** Two ways to give the server a key. Neither contains a value. */
export function waysToKey({ variables, login }: Extract<AgentInfo['trouble'], { kind: 'key' }>): readonly Way[] {
  const given = variables.map((variable) => `${variable}=…`).join(' ')
  const other =
    login === undefined
      ? { words: 'Or for this start alone:', command: `${given} npx millrace serve` }
      : { words: 'Or log in, if the program works without the key:', command: login }
  return [{ words: 'In the shell that starts the server:', command: `export ${given}` }, other]
}

interface Way {
  readonly words: string
  readonly command: string
}

const groups: { readonly [kind: string]: string } = {
  process: 'On this machine',
  http: 'Endpoints',
  stream: 'Functions of this program',
  code: 'Functions of this program',
  loop: 'Models',
}

const OTHERS = 'Others'

export interface AgentGroup {
  readonly title: string
  readonly agents: readonly AgentInfo[]
}

/** The agents by what stands behind them, in the order of the first of each group; those that can run come first. */
export function groupAgents(agents: readonly AgentInfo[]): readonly AgentGroup[] {
  const byTitle = new Map<string, AgentInfo[]>()
  for (const agent of agents) {
    const title = groups[agent.kind ?? 'code'] ?? OTHERS
    byTitle.set(title, [...(byTitle.get(title) ?? []), agent])
  }
  return [...byTitle].map(([title, members]) => {
    const { available, others } = splitAgents(members)
    return { title, agents: [...available, ...others] }
  })
}

const kinds: { readonly [kind: string]: string } = {
  process: 'A program that this server starts',
  http: 'A service that this server calls',
  stream: 'A function of this program that streams',
  code: 'A function of this program',
  loop: 'A model with tools that this server runs',
}

export const kindText = (kind = 'code'): string => kinds[kind] ?? kind

const abilities: {
  readonly [Ability in keyof AgentAbilities]-?: (value: NonNullable<AgentAbilities[Ability]>) => string
} = {
  steer: () => 'reads messages while it runs',
  session: (value) => (value === 'fork' ? 'goes on from any earlier turn' : 'continues its conversation'),
  edit: () => 'runs a call as you change it',
  files: (types) => (types.includes('*/*') ? 'takes any file' : `takes files: ${types.join(', ')}`),
  clientTools: () => 'takes tools of the client',
  recover: () => 'goes on after a restart of the server',
}

/** What the agent can, in the same order for every agent. */
export function abilityTexts(can: AgentAbilities = {}): readonly string[] {
  return (Object.keys(abilities) as (keyof AgentAbilities)[]).flatMap((ability) => {
    const value = can[ability]
    const isGiven = value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
    return isGiven ? [(abilities[ability] as (value: unknown) => string)(value)] : []
  })
}

/** A sentence in parts: those between backticks or quotation marks are code. */
export function partsOf(sentence: string): readonly { readonly text: string; readonly isCode: boolean }[] {
  const parts = sentence.split(/`([^`\n]{1,500})`|“([^”\n]{1,500})”/)
  return parts.flatMap((text, index) => (text ? [{ text, isCode: index % 3 !== 0 }] : []))
}

/** The sentence without marks around its code, for a line that is not formatted. */
export const plainText = (sentence: string): string =>
  partsOf(sentence)
    .map(({ text }) => text)
    .join('')

/** The command lines that a sentence names, for copying. One word alone is a name. */
export function commandsIn(sentence: string): readonly string[] {
  return partsOf(sentence).flatMap(({ text, isCode }) => (isCode && /\S\s+\S/.test(text) ? [text] : []))
}
