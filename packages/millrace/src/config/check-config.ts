import { getWire } from '@millrace/core/wire'
import { basePathProblem, hostNameProblem, originProblem, tokenProblem } from '@millrace/server/settings'
import type { Config, ConfigLimits, ConfigSessions } from './config.ts'
import { nearestName } from './nearest-name.ts'

/** How messages name a setting: `limits.stopSeconds` of a file, `--stop-seconds`, `PORT`. */
export interface Label {
  readonly name: string
  /** The name of an item, if the setting is a list. */
  item(index: number): string
}

/** What is wrong with a value, one sentence each. */
type Check = (value: unknown, label: Label) => readonly string[]

/** In a file. */
const fieldLabel = (name: string): Label => ({ name, item: (index) => `${name}[${index}]` })

/** A timer of Node cannot wait longer. */
const MOST_SECONDS = 2_147_483

export const limitChecks: { readonly [Name in keyof Required<ConfigLimits>]: Check } = {
  uploadMegabytes: numberUpTo(Number.MAX_SAFE_INTEGER),
  bodyMegabytes: numberUpTo(256),
  resumeSeconds: numberUpTo(MOST_SECONDS),
  stopSeconds: numberUpTo(MOST_SECONDS),
  leaveSeconds: numberUpTo(MOST_SECONDS),
  drainSeconds: (value, { name }) =>
    typeof value === 'number' && value >= 0 && value <= MOST_SECONDS
      ? []
      : [`${name} must be a number from 0 to ${MOST_SECONDS}, not ${shown(value)}.`],
  heartbeatSeconds: numberUpTo(15),
  stallSeconds: numberUpTo(MOST_SECONDS),
}

/** The fields that flags and the environment have too. */
export const plainChecks = {
  port: (value, { name }) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535
      ? []
      : [`${name} must be a whole number from 0 to 65535, not ${shown(value)}.`],
  host: text,
  data: text,
  databaseUrl: urlOf(['postgres:', 'postgresql:']),
  redisUrl: urlOf(['redis:', 'rediss:']),
  // The value is not repeated: messages end up in logs.
  token(value, { name }) {
    if (typeof value !== 'string') return [`${name} must be text in quotes.`]
    const problem = tokenProblem(value, 'localhost')
    return problem === undefined ? [] : [`${name}: ${problem}`]
  },
  origins: listOf(originProblem, 'exact origins, such as ["https://app.example.com"]'),
  hosts: listOf(hostNameProblem, 'host names, such as ["chat.example.com"]'),
  basePath(value, { name }) {
    if (typeof value !== 'string') return [`${name} must be a path such as "/agents", not ${shown(value)}.`]
    const problem = basePathProblem(value)
    return problem === undefined ? [] : [`${name} ${problem}`]
  },
  requestLog: (value, { name }) =>
    typeof value === 'boolean' ? [] : [`${name} must be true or false, not ${shown(value)}.`],
} satisfies { readonly [Name in keyof Config]: Check }

const sessionChecks: { readonly [Name in keyof Required<ConfigSessions>]: Check } = {
  profile(value, { name }) {
    const { profiles } = getWire('ds-agent')
    return profiles.includes(value as string)
      ? []
      : [`${name} must be one of ${profiles.join(', ')}, not ${shown(value)}.`]
  },
  agents(value, { name }) {
    if (!isObject(value)) return [notAnObject(name, value)]
    return Object.entries(value).flatMap(([agentType, agent]) => text(agent, fieldLabel(`${name}.${agentType}`)))
  },
}

const checks: { readonly [Name in keyof Required<Config>]: Check } = {
  ...plainChecks,
  sessions: (value, { name }) =>
    isObject(value) ? fieldProblems(value, sessionChecks, `${name}.`) : [notAnObject(name, value)],
  parsers: membersWith('a parser', ['version', 'losses', 'recognize', 'create']),
  wires: membersWith('a wire', ['losses', 'profiles', 'headers', 'create']),
  limits: (value, { name }) =>
    isObject(value) ? fieldProblems(value, limitChecks, `${name}.`) : [notAnObject(name, value)],
}

/** Everything that is wrong with the content of a file. */
export function checkFile(value: unknown, isJson: boolean): readonly string[] {
  if (!isObject(value)) return [notAnObject(isJson ? 'the content' : 'the default export', value)]
  const rows = isJson ? { ...checks, parsers: notInJson, wires: notInJson } : checks
  return fieldProblems(value, rows, '')
}

const notInJson: Check = (_value, { name }) => [
  `${name} cannot be in JSON: use millrace.config.ts or millrace.config.js.`,
]

/** The problems of an object's fields. A field that is `undefined` counts as absent. */
function fieldProblems(object: object, rows: { readonly [name: string]: Check }, prefix: string): readonly string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    if (value === undefined) return []
    const check = Object.hasOwn(rows, name) ? rows[name] : undefined
    return check?.(value, fieldLabel(`${prefix}${name}`)) ?? [unknownField(name, Object.keys(rows), prefix)]
  })
}

function unknownField(name: string, names: readonly string[], prefix: string): string {
  const nearest = nearestName(name, names)
  const advice = nearest === undefined ? `the fields are ${names.join(', ')}` : `did you mean ${prefix}${nearest}?`
  return `there is no field ${prefix}${name}; ${advice}${advice.endsWith('?') ? '' : '.'}`
}

function text(value: unknown, { name }: Label): readonly string[] {
  return typeof value === 'string' && value !== ''
    ? []
    : [`${name} must be text that is not empty, not ${shown(value)}.`]
}

/** The value is not repeated: it may hold a password. */
function urlOf(protocols: readonly string[]): Check {
  const expected = protocols.map((protocol) => `${protocol}//`).join(' or ')
  return (value, { name }) =>
    typeof value === 'string' && URL.canParse(value) && protocols.includes(new URL(value).protocol)
      ? []
      : [`${name} must be a URL that begins with ${expected}.`]
}

function numberUpTo(most: number): Check {
  const bound = most === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${most}`
  return (value, { name }) =>
    typeof value === 'number' && value > 0 && value <= most
      ? []
      : [`${name} must be a number above 0${bound}, not ${shown(value)}.`]
}

function listOf(problemOf: (item: string) => string | undefined, expected: string): Check {
  return (value, { name, item }) => {
    // One text instead of a list of one is a slip, but `*` is a wish, and gets its own answer.
    if (value === '*') return [`${name} ${problemOf(value)}`]
    if (!Array.isArray(value)) return [`${name} must be a list of ${expected}, not ${shown(value)}.`]
    return value.flatMap((each: unknown, index) => {
      if (typeof each !== 'string') return [`${item(index)} must be text, not ${shown(each)}.`]
      const problem = problemOf(each)
      return problem === undefined ? [] : [`${item(index)} ${problem}`]
    })
  }
}

const MEMBER_NAME = /^[a-z\d]+(?:-[a-z\d]+)*$/

function membersWith(kind: string, parts: readonly string[]): Check {
  return (value, { name }) => {
    if (!isObject(value)) return [notAnObject(name, value)]
    return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
      if (key === 'auto') return [`${name}: "auto" cannot be a name: it stands for detection.`]
      if (!MEMBER_NAME.test(key)) {
        return [`${name}: "${key}" cannot be a name; it needs small letters, digits and hyphens.`]
      }
      const given: { readonly [part: string]: unknown } = isObject(member) ? { ...member } : {}
      const missing = parts.filter((part) => given[part] === undefined)
      return missing.length === 0 ? [] : [`${name}.${key} must be ${kind}; it has no ${missing.join(', no ')}.`]
    })
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const notAnObject = (name: string, value: unknown) => `${name} must be an object, not ${shown(value)}.`

const LONGEST = 60

/** The value as it would be written in JSON, cut to a length that a line can hold. */
function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  const written = JSON.stringify(value) ?? String(value)
  return written.length > LONGEST ? `${written.slice(0, LONGEST)}…` : written
}
