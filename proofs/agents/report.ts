import { clis } from './clis.ts'
import type { Results } from './results.ts'
import { isRoot } from './workplace.ts'

/** The report that is committed: what was kept, with versions; nothing that another machine or day would change. */
export function reportOf(results: Results): string {
  const played = clis.flatMap(({ name, packageName }) => {
    const result = results[name]
    return result === undefined ? [] : [{ name, packageName, ...result }]
  })
  const names = [...new Set(played.flatMap(({ checks }) => checks.map(({ name }) => name)))]
  const cells = (name: string) =>
    played.map(({ checks }) => {
      const found = checks.find((check) => check.name === name)
      return found === undefined ? 'not tried' : found.problems.length === 0 ? 'kept' : '**broken**'
    })
  const broken = played.flatMap(({ name, checks }) =>
    checks.flatMap((check) => check.problems.map((problem) => `- ${name}, ${check.name}: ${problem}`)),
  )
  return [
    '# Command line agents, run by the server',
    '',
    'Written by `npm run agents`: `millrace serve` runs the programs of npm by its presets against a scripted provider on this',
    'machine, and everything goes through its HTTP API. The script is the same for all of them. What a person sees must be',
    'equal: the texts, and the number, states, order and answers of the calls, and the outcome. The calls of one step have no',
    'order: Codex begins them in any. Names and inputs of the calls are compared with a table (`proofs/agents/clis.ts`).',
    '',
    ...played.map(({ name, packageName, version }) => `- \`${packageName}\` ${version}: preset \`${name}\``),
    '',
    `| | ${played.map(({ name }) => name).join(' | ')} |`,
    `|---|${played.map(() => '---|').join('')}`,
    ...names.map((name) => `| ${name} | ${cells(name).join(' | ')} |`),
    '',
    ...(broken.length === 0 ? ['Nothing is broken.'] : ['BROKEN:', '', ...broken]),
    '',
    '## What differs, and why',
    '',
    ...clis.flatMap(({ name, asksToRead, leaves, afterDenial, stopped, inputOf }) => [
      ...(asksToRead === undefined ? [] : [`- ${name}: the call that fails is asked about: ${asksToRead}.`]),
      ...(leaves === undefined
        ? []
        : [
            `- ${name}: leaves the empty folders ${leaves.folders.map((path) => `\`${path}\``).join(', ')}: ${leaves.because}.`,
          ]),
      ...(afterDenial === undefined
        ? []
        : [
            `- ${name}: behind a denied call comes ${afterDenial.text === undefined ? 'no text' : `“${afterDenial.text}”`}: ${afterDenial.because}.`,
          ]),
      ...(stopped === undefined
        ? []
        : [`- ${name}: a call that a stop cuts off is ${stopped.states.join(' or ')}: ${stopped.because}.`]),
      ...(inputOf === undefined
        ? [`- ${name}: sends no inputs of calls, only titles; the title has the command.`]
        : []),
    ]),
    ...(isRoot
      ? []
      : [
          '',
          'Not tried: whether something is written elsewhere. The files of a program are found by their group, which only root may choose.',
        ]),
    '',
  ].join('\n')
}
