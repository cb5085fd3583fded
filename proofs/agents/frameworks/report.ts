import type { Check } from '../play.ts'
import type { Framework } from './registry.ts'

/** What one framework has shown. */
export interface PlayedFramework {
  readonly framework: Framework
  readonly versions: readonly string[]
  readonly checks: readonly Check[]
}

const cellOf = ({ problems }: Check) => (problems.length === 0 ? 'kept' : '**broken**')

/** The page about all frameworks: which there are, and what was kept. */
export function frameworksReport(played: readonly PlayedFramework[]): string {
  const names = played[0]?.checks.map(({ name }) => name) ?? []
  const broken = played.flatMap(({ framework, checks }) =>
    checks.flatMap(({ name, problems }) => problems.map((problem) => `- ${framework.title}, ${name}: ${problem}`)),
  )
  return [
    '# Frameworks',
    '',
    'Written by `npm run agents -- frameworks`. An agent of a framework is a file in `agents/`; each page has one to copy. The proof takes the files from the pages as they stand,',
    'has `millrace serve` run them against a scripted provider on this machine, and compares what a person sees with what the same stream gives without Millrace: all segments,',
    'with texts, calls, inputs, outputs and states; ids, times and positions in the log are left out.',
    '',
    ...played.map(({ framework: { page, title }, versions }) => `- [${title}](${page}.md): ${versions.join(', ')}`),
    '',
    `| | ${played.map(({ framework }) => framework.title).join(' | ')} |`,
    `|---|${played.map(() => '---|').join('')}`,
    ...names.map((name) => {
      const cells = played.map(({ checks }) => checks.find((check) => check.name === name))
      return `| ${name} | ${cells.map((check) => (check === undefined ? 'not tried' : cellOf(check))).join(' | ')} |`
    }),
    '',
    ...(broken.length === 0 ? ['Nothing is broken.'] : ['BROKEN:', '', ...broken]),
    '',
  ].join('\n')
}
