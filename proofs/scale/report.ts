import type { Figures } from './measure.ts'

const [BEGIN, END] = ['<!-- measured -->', '<!-- /measured -->']

/** The page with its table replaced; everything around it is written by hand. */
export function pageWith(page: string, figures: readonly Figures[], machine: string): string {
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`The page needs ${BEGIN} and ${END}.`)
  return `${page.slice(0, before)}${BEGIN}\n${tableOf(figures, machine)}\n${page.slice(after)}`
}

function tableOf(figures: readonly Figures[], machine: string): string {
  return [
    machine,
    '',
    '| load | nodes | result | time | events stored a second | frames delivered a second | cores of each node | memory of each node, before → most |',
    '|---|---:|---|---:|---:|---:|---|---|',
    ...figures.map(rowOf),
  ].join('\n')
}

export function rowOf({ load, nodes, seconds, storedRate, deliveredRate, problems }: Figures): string {
  const cells = [
    load.name,
    nodes.length,
    problems.length === 0 ? 'exact' : `BROKEN (${problems.length})`,
    `${seconds.toFixed(1)} s`,
    whole(storedRate),
    whole(deliveredRate),
    nodes.map(({ cores }) => cores.toFixed(2)).join(', '),
    nodes.map(({ idleMemory, memory }) => `${whole(idleMemory)} → ${whole(memory)} MB`).join(', '),
  ]
  return `| ${cells.join(' | ')} |`
}

const whole = (value: number) => Math.round(value).toLocaleString('en')
