/** Counters, gauges and histograms, and their text in the format of Prometheus (version 0.0.4). */

export type Labels = { readonly [name: string]: string }

export interface Sample {
  /** What follows the metric's name, such as `_count`. */
  readonly suffix?: string
  readonly labels?: Labels
  readonly value: number
}

type Type = 'counter' | 'gauge' | 'histogram'

export interface Counter {
  add(amount: number): void
}

/** One counter or gauge for each combination of labels. No label may hold what a client chooses. */
export interface LabelledCounter {
  add(labels: Labels, amount: number): void
}

export interface Histogram {
  observe(value: number): void
}

export interface Metrics {
  counter(name: string, help: string): Counter
  labelled(name: string, help: string, type: 'counter' | 'gauge'): LabelledCounter
  /** `bounds` are the upper bounds of the buckets, in ascending order, without the infinite one. */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram
  /** A value that is read when the text is asked for. */
  read(name: string, help: string, type: 'counter' | 'gauge', samples: () => readonly Sample[]): void
  text(): string
}

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function createMetrics(): Metrics {
  const all: { readonly head: string; readonly name: string; readonly samples: () => readonly Sample[] }[] = []

  function add(name: string, help: string, type: Type, samples: () => readonly Sample[]): void {
    all.push({ name, head: `# HELP ${name} ${escapedHelp(help)}\n# TYPE ${name} ${type}\n`, samples })
  }

  return {
    counter(name, help) {
      let value = 0
      add(name, help, 'counter', () => [{ value }])
      return {
        add(amount) {
          value += amount
        },
      }
    },
    labelled(name, help, type) {
      const samples = new Map<string, { readonly labels: Labels; value: number }>()
      add(name, help, type, () => [...samples.values()])
      return {
        add(labels, amount) {
          const key = labelText(labels)
          const sample = samples.get(key)
          if (sample === undefined) samples.set(key, { labels, value: amount })
          else sample.value += amount
        },
      }
    },
    histogram(name, help, bounds) {
      // The last one is the infinite bucket.
      const counts = new Float64Array(bounds.length + 1)
      let sum = 0
      add(name, help, 'histogram', () => histogramSamples(bounds, counts, sum))
      return {
        observe(value) {
          let bucket = 0
          while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++
          counts[bucket] = (counts[bucket] as number) + 1
          sum += value
        },
      }
    },
    read: add,
    text: () =>
      all
        .map(
          ({ head, name, samples }) =>
            head +
            samples()
              .map((sample) => line(name, sample))
              .join(''),
        )
        .join(''),
  }
}

/** A bucket holds everything up to its bound, so each contains those before it. */
function histogramSamples(bounds: readonly number[], counts: Float64Array, sum: number): readonly Sample[] {
  let count = 0
  const buckets = [...counts].map((each, index) => {
    count += each
    return { suffix: '_bucket', labels: { le: numberText(bounds[index] ?? Number.POSITIVE_INFINITY) }, value: count }
  })
  return [...buckets, { suffix: '_sum', value: sum }, { suffix: '_count', value: count }]
}

const line = (name: string, { suffix = '', labels = {}, value }: Sample) =>
  `${name}${suffix}${labelText(labels)} ${numberText(value)}\n`

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapedLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const numberText = (value: number) => (value === Number.POSITIVE_INFINITY ? '+Inf' : String(value))

const escapedHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapedLabel = (text: string) => escapedHelp(text).replaceAll('"', '\\"')
