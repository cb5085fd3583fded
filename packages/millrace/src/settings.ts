import { dirname, resolve } from 'node:path'
import { present } from '@millrace/core/json'
import { type Label, limitChecks, plainChecks } from './config/check-config.ts'
import type { Config, ConfigLimits } from './config/config.ts'
import { configError } from './config/find-config.ts'

/** What has no default of its own. */
type Absent = 'token' | 'databaseUrl' | 'redisUrl'

/** The settings of a server, complete. */
export interface Settings extends Required<Omit<Config, Absent | 'parsers' | 'wires' | 'limits'>> {
  readonly token: string | undefined
  readonly databaseUrl: string | undefined
  readonly redisUrl: string | undefined
  readonly limits: Required<ConfigLimits>
}

const DEFAULT_PORT = 4870

const defaultLimits: Required<ConfigLimits> = {
  uploadMegabytes: 64,
  bodyMegabytes: 4,
  resumeSeconds: 60,
  stopSeconds: 5,
  leaveSeconds: 10,
  drainSeconds: 0,
  heartbeatSeconds: 15,
  stallSeconds: 30,
}

const defaults = {
  port: DEFAULT_PORT,
  host: '127.0.0.1',
  data: '.millrace',
  origins: [],
  hosts: [],
  basePath: '',
  requestLog: false,
  sessions: {},
}

type Plain = keyof typeof plainChecks
type Limit = keyof ConfigLimits

/** A text of a flag or of the environment, and the setting that it is for. */
interface Given {
  readonly setting: Plain | Limit
  readonly name: string
  readonly value: Texts[string]
}

export type Texts = { readonly [name: string]: string | readonly string[] | boolean | undefined }

const flagNames: { readonly [Name in Plain | Limit]?: string } = {
  port: 'port',
  host: 'host',
  data: 'data',
  databaseUrl: 'database-url',
  redisUrl: 'redis-url',
  token: 'token',
  origins: 'origin',
  hosts: 'host-name',
  basePath: 'base-path',
  requestLog: 'request-log',
  uploadMegabytes: 'upload-megabytes',
  resumeSeconds: 'resume-seconds',
  stopSeconds: 'stop-seconds',
  drainSeconds: 'drain-seconds',
}

const variableNames: { readonly [Name in Plain]: string } & { readonly [Name in Limit]?: string } = {
  port: 'PORT',
  host: 'MILLRACE_HOST',
  data: 'MILLRACE_DATA',
  databaseUrl: 'MILLRACE_DATABASE_URL',
  redisUrl: 'MILLRACE_REDIS_URL',
  token: 'MILLRACE_TOKEN',
  origins: 'MILLRACE_ORIGINS',
  hosts: 'MILLRACE_HOSTS',
  basePath: 'MILLRACE_BASE_PATH',
  requestLog: 'MILLRACE_REQUEST_LOG',
  drainSeconds: 'MILLRACE_DRAIN_SECONDS',
}

/** A file of settings that was read. */
export interface ReadConfig {
  readonly path: string
  readonly config: Config
}

/** Flags outrank the environment, which outranks the file. Throws a usage error that lists everything that is wrong. */
export function settingsOf(flags: Texts, environment: NodeJS.ProcessEnv, file: ReadConfig | undefined): Settings {
  const fromFlags = valuesOf(
    entriesOf(flagNames).map(([setting, flag]) => ({ setting, name: `--${flag}`, value: flags[flag] })),
  )
  const fromEnvironment = valuesOf(
    entriesOf(variableNames).map(([setting, name]) => {
      // An empty variable counts as unset.
      const text = environment[name] || undefined
      return { setting, name, value: isList(setting) ? text?.split(',').map((item) => item.trim()) : text }
    }),
  )
  const problems = [...fromFlags.problems, ...fromEnvironment.problems]
  if (problems.length > 0) throw configError(problems)
  const { parsers: _parsers, wires: _wires, limits, ...fromFile } = file?.config ?? {}
  const data = fromFile.data === undefined ? {} : { data: resolve(dirname(file?.path ?? ''), fromFile.data) }
  return {
    token: undefined,
    databaseUrl: undefined,
    redisUrl: undefined,
    ...defaults,
    ...present({ ...fromFile, ...data }),
    ...fromEnvironment.plain,
    ...fromFlags.plain,
    limits: { ...defaultLimits, ...present(limits ?? {}), ...fromEnvironment.limits, ...fromFlags.limits },
  }
}

interface Values {
  readonly plain: Pick<Config, Plain>
  readonly limits: ConfigLimits
  readonly problems: readonly string[]
}

function valuesOf(all: readonly Given[]): Values {
  const texts = all.filter(({ value }) => value !== undefined)
  const pairs = texts.map(({ setting, value }) => [setting, readAs(setting)(value)] as const)
  const problems = texts.flatMap(({ setting, name }, index) => {
    const label: Label = { name, item: () => name }
    return checkOf(setting)(pairs[index]?.[1], label)
  })
  return {
    plain: Object.fromEntries(pairs.filter(([setting]) => setting in plainChecks)),
    limits: Object.fromEntries(pairs.filter(([setting]) => setting in limitChecks)),
    problems,
  }
}

const checkOf = (setting: Plain | Limit) => ({ ...plainChecks, ...limitChecks })[setting]
const isList = (setting: Plain | Limit) => setting === 'origins' || setting === 'hosts'

type Read = (text: Given['value']) => unknown

/** How the text of a setting is read. */
const readAs = (setting: Plain | Limit): Read =>
  setting === 'requestLog' ? switchOf : setting === 'port' || setting in limitChecks ? numberOf : (text) => text

/** The number, or the text itself if it is none: the check then names it. */
const numberOf: Read = (text) => (/^\d{1,15}(?:\.\d+)?$/.test(String(text)) ? Number(text) : text)

const switches: { readonly [text: string]: boolean } = { '1': true, true: true, '0': false, false: false }
const switchOf: Read = (text) => switches[String(text)] ?? text

const entriesOf = <Name extends Plain | Limit>(names: { readonly [Each in Name]?: string }) =>
  Object.entries(names) as [Name, string][]
