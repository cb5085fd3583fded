import type { SwitchFinding } from './try-all.ts'

/** The findings as a page. */
export function pageOf(findings: readonly SwitchFinding[]): string {
  return [
    '# Switching to Millrace',
    '',
    'Written by `npm run switch`: the clients and producers of the five systems that Millrace unites, written anew from what their authors have published, talk to a packed server with',
    'the frames that they have always sent. What each ends with is compared with the fold.',
    '',
    ...findings.flatMap(sectionOf),
  ].join('\n')
}

function sectionOf({ program: { name, title, differs, pictures = {} }, rows }: SwitchFinding): readonly string[] {
  return [
    `## ${name}`,
    '',
    title,
    '',
    '| promise | seen |',
    '|---|---|',
    ...rows.map(({ promise, kept, note }) => `| ${cell(promise)} | ${kept ? cell(note) : '**broken**'} |`),
    '',
    ...(differs.length > 0 ? ['| what differs | why |', '|---|---|'] : []),
    ...differs.map(({ what, why }) => `| ${cell(what)} | ${cell(why)} |`),
    ...(differs.length > 0 ? [''] : []),
    ...Object.entries(pictures).flatMap(([picture, about]) => [`![${about}](images/${picture})`, '']),
  ]
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
