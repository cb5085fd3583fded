import { readFileSync } from 'node:fs'
import type { Played } from './try-pages.ts'

/** The part of the report about pages and programs: verdicts and versions, nothing that another day would change. */
export function pagesReport(played: readonly Played[]): string {
  const clients = [...new Set(played.map(({ client }) => client))]
  const scenes = [...new Set(played.map(({ scene }) => scene))]
  const cellOf = (scene: string, title: string) => {
    const one = played.find((each) => each.scene === scene && each.client.title === title)
    if (one === undefined || one.exception !== undefined) return '–'
    return one.problems.length === 0 ? 'kept' : 'BROKEN'
  }
  const exceptions = played.flatMap(({ client, scene, exception }) =>
    exception === undefined ? [] : [`- ${client.title}, ${scene}: ${exception}`],
  )
  return [
    '## In pages',
    '',
    'Each client in a page that is built as an application would build it, in Chromium, with agents that do',
    'one thing each (`proofs/clients/pages/agents.ts`). Behind the last step, and again after a reload, what the client holds',
    'and what its page draws are compared with what our own client shows of the thread; so are the error, how often a tool of',
    'the page ran, and how the runs of the thread ended.',
    '',
    ...clients.map(({ title, packages }) => `- ${title}: ${packages.map(versionOf).join(', ')}`),
    '',
    pagesKept(played) ? 'Nothing is refused, and nothing differs.' : 'BROKEN: see the table.',
    '',
    `| scene | ${clients.map(({ title }) => title).join(' | ')} |`,
    `|---|${clients.map(() => '---|').join('')}`,
    ...scenes.map((scene) => `| ${[scene, ...clients.map(({ title }) => cellOf(scene, title))].join(' | ')} |`),
    '',
    ...(exceptions.length > 0 ? ['Not played:', '', ...exceptions, ''] : []),
    ...clients.flatMap(({ title, unlikeReloaded = {} }) =>
      Object.entries(unlikeReloaded).map(
        ([scene, why]) => `Not compared after a reload: ${title}, ${scene}: ${why}.\n`,
      ),
    ),
    'What the pages do, or show otherwise:',
    '',
    ...clients.flatMap(({ title, notes = [] }) => notes.map((note) => `- ${title}: ${note}.`)),
    '',
  ].join('\n')
}

/** Whether every client kept its promises in every scene that it played. */
export const pagesKept = (played: readonly Played[]): boolean => played.every(({ problems }) => problems.length === 0)

function versionOf(name: string): string {
  const path = new URL(`../../../clients/node_modules/${name}/package.json`, import.meta.url)
  // A package may be installed under another name.
  const { name: published, version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly [field: string]: string }
  return `\`${published}\` ${version}`
}
