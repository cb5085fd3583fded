/** For tests: a strict reader of the text format of Prometheus, version 0.0.4. Throws at the first fault. */

export interface ReadMetric {
  readonly type: string
  readonly help: string
  /** By name and labels, as `name{a="b"}` with the labels in the order of the text. */
  readonly samples: ReadonlyMap<string, number>
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? (\+Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/
const LABELS = /^\{[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*"(?:,[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*")*\}$/
const SUFFIXES = ['_bucket', '_sum', '_count']

interface Draft {
  readonly help: string
  type?: string
  readonly samples: Map<string, number>
}

export function readMetrics(text: string): ReadonlyMap<string, ReadMetric> {
  if (!text.endsWith('\n')) throw new Error('The text does not end with a line feed.')
  const metrics = new Map<string, Draft>()
  let current = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (kind === 'HELP') {
      if (!NAME.test(name) || metrics.has(name)) throw new Error(`Not a new name: ${line}`)
      if (!/^(?:[^\\]|\\[\\n])*$/.test(rest)) throw new Error(`Not escaped: ${line}`)
      metrics.set(name, { help: rest, samples: new Map() })
      current = name
    } else if (kind === 'TYPE') {
      const metric = metrics.get(name)
      if (name !== current || metric?.type !== undefined || metric?.samples.size !== 0) throw new Error(line)
      if (!['counter', 'gauge', 'histogram'].includes(rest)) throw new Error(line)
      metric.type = rest
    } else addSample(metrics.get(current), current, line)
  }
  for (const [name, metric] of metrics) if (metric.type === 'histogram') checkHistogram(name, metric.samples)
  return metrics as Map<string, ReadMetric>
}

function addSample(metric: Draft | undefined, current: string, line: string): void {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
  if (name === '' || (labels !== '' && !LABELS.test(labels))) throw new Error(`Not a sample: ${line}`)
  const names = metric?.type === 'histogram' ? SUFFIXES.map((suffix) => current + suffix) : [current]
  if (metric?.type === undefined || !names.includes(name)) throw new Error(`Not below its metric: ${line}`)
  if (metric.samples.has(name + labels)) throw new Error(`Twice: ${line}`)
  if (metric.type === 'counter' && Number(value) < 0) throw new Error(`A counter below 0: ${line}`)
  metric.samples.set(name + labels, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value))
}

function checkHistogram(name: string, samples: ReadonlyMap<string, number>): void {
  const buckets = [...samples].filter(([key]) => key.startsWith(`${name}_bucket{le="`))
  const bounds = buckets.map(([key]) => Number(/le="(.*)"/.exec(key)?.[1]?.replace('+Inf', 'Infinity')))
  const counts = buckets.map(([, count]) => count)
  const isAscending = (values: readonly number[], isMore: (a: number, b: number) => boolean) =>
    values.every((value, at) => at === 0 || isMore(value, values[at - 1] as number))
  if (!isAscending(bounds, (a, b) => a > b) || bounds.at(-1) !== Number.POSITIVE_INFINITY)
    throw new Error(`${name}: bounds`)
  if (!isAscending(counts, (a, b) => a >= b)) throw new Error(`${name}: the buckets are not cumulative`)
  if (counts.at(-1) !== samples.get(`${name}_count`)) throw new Error(`${name}: the count is not the last bucket`)
  if (!((samples.get(`${name}_sum`) as number) >= 0)) throw new Error(`${name}: no sum`)
}
