// Packs every package, installs it in empty folders outside of the repository and uses it there. Writes what was seen to
// docs/packed.md. Exits with 1 if a check fails. With an argument, only the checks whose names contain it are tried, and
// nothing is written. Needs npm's registry, and a browser for one check.

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Finding, tryChecks } from '../proofs/packed/try-all.ts'

const [part] = process.argv.slice(2)

function print({ title, seen, isKept }: Finding): void {
  process.stdout.write(`${isKept ? 'kept  ' : 'BROKEN'}  ${title}\n        ${seen}\n`)
}

const findings = await tryChecks(part ?? '', print)

if (part === undefined) {
  const rows = findings.map(
    ({ title, seen, isKept }) => `| ${title} | ${isKept ? seen.replaceAll('|', '\\|') : '**broken**'} |`,
  )
  const page = [
    '# The packed packages, used outside',
    '',
    'Written by `npm run packed`.',
    '',
    '| check | seen |',
    '|---|---|',
    ...rows,
  ]
  writeFileSync(fileURLToPath(new URL('../docs/packed.md', import.meta.url)), `${page.join('\n')}\n`)
}
process.exitCode = findings.every(({ isKept }) => isKept) ? 0 : 1
