import { readFileSync } from 'node:fs'

/** A test that a row names: its file, and its name without the ids that it begins with. */
export interface Proof {
  readonly file: string
  readonly name: string
}

export interface Row {
  readonly id: string
  readonly requirement: string
  readonly proofs: readonly Proof[]
  /** Whether the section `Replaced` says why something else is done. */
  readonly isReplaced: boolean
}

const ROW = /^\| (S\d-\d+) \| (.+?) \| (.*) \|$/gm
const PROOF = /^`([^`]+)`: (.+)$/

/** The rows of docs/requirements.md, in their order. */
export function rowsOf(document: string): readonly Row[] {
  const [section = ''] = /## Replaced[^\n]*\n[\s\S]*?(?=\n## |$)/.exec(document) ?? []
  const replaced = idsOf(section)
  return [...document.replace(section, '').matchAll(ROW)].map(([, id = '', requirement = '', cells = '']) => ({
    id,
    requirement,
    proofs: cells.split('<br>').flatMap((cell) => {
      const [, file, name] = PROOF.exec(cell.replaceAll('\\|', '|')) ?? []
      return file === undefined || name === undefined ? [] : [{ file, name }]
    }),
    isReplaced: replaced.includes(id),
  }))
}

/** `S0-8 … S0-96, S0-98` → every id that it names. */
function idsOf(text: string): readonly string[] {
  return [...text.matchAll(/(S\d)-(\d+)(?: … \1-(\d+))?/g)].flatMap(([, seed, from, to]) => {
    const first = Number(from)
    return Array.from({ length: Number(to ?? from) - first + 1 }, (_, index) => `${seed}-${first + index}`)
  })
}

const LITERAL = /(['"`])((?:law \d+, )?S\d-\d+(?:(?!\1)[^\\\n]|\\.)*)\1/g
const IDS = /^(?:law \d+, )?(?:S\d-\d+,? ?)+:? ?/

export interface NamedTest extends Proof {
  readonly ids: readonly string[]
}

/** The names in a file of tests that begin with ids. A name that is nothing else is the id itself. */
export function namedTestsIn(root: string, file: string): readonly NamedTest[] {
  const source = readFileSync(`${root}${file}`, 'utf8')
  return [...source.matchAll(LITERAL)].map(([, , literal = '']) => {
    const ids = idsOf(IDS.exec(literal)?.[0] ?? '')
    const name = literal.replace(IDS, '').replaceAll("\\'", "'")
    return { file, name: name === '' ? literal : name, ids }
  })
}

/** Whether a test that ran is the one that a row names; placeholders of the name stand for anything. */
export function isNamed({ name }: Proof, ranAs: string): boolean {
  const pattern = name
    .split(/\$\{[^}]*\}|%[sdifjo#]|\$[\w.]+/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(pattern, 's').test(ranAs)
}
