// Checks everything that a release needs and publishes nothing: it prints the commands that would.
//
//   npm run release -- --dry-run [--folder FOLDER]

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildPackages } from './pack/build.ts'
import { packInto } from './pack/pack-into.ts'
import { problemsOf } from './release/judge.ts'

/** The most kilobytes of each tarball. A file too many, or a dependency packed by mistake, is seen here. */
const LIMITS: { readonly [name: string]: number } = {
  '@millrace/core': 1300,
  '@millrace/server': 400,
  '@millrace/react': 200,
  '@millrace/testkit': 300,
  millrace: 450,
}

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, folder: { type: 'string' } } })
if (values['dry-run'] !== true) {
  process.stderr.write('Nothing is published from here. Check a release with: npm run release -- --dry-run\n')
  process.exit(2)
}

const folder = resolve(values.folder ?? mkdtempSync(join(tmpdir(), 'millrace-release-')))
mkdirSync(folder, { recursive: true })
const problems: string[] = []
const packed = buildPackages().map((built) => ({ ...built.manifest, file: packInto(folder, built) }))

for (const { name, file } of packed) {
  const kilobytes = Math.ceil(statSync(file).size / 1000)
  const limit = LIMITS[name] ?? 0
  if (kilobytes > limit) problems.push(`${name}: ${kilobytes} KB, more than ${limit} KB`)
  problems.push(...(await problemsOf(file)).map((problem) => `${name}: ${problem}`))
  process.stdout.write(`${name}  ${kilobytes} KB of ${limit} KB\n`)
}

const versions = new Set(packed.map(({ version }) => version))
if (versions.size !== 1) problems.push(`The packages have different versions: ${[...versions].join(', ')}`)

const root = fileURLToPath(new URL('..', import.meta.url))
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
const newest = /^## (.+)\n\n\S/m.exec(changelog)?.[1] ?? 'nothing'
if (!versions.has(newest)) problems.push(`CHANGELOG.md begins with ${newest}, not with ${[...versions].join(', ')}.`)

const workspaces = packed.flatMap(({ name }) => ['-w', name])
const parts = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', ...workspaces], {
  cwd: root,
  maxBuffer: 1 << 26,
  stdio: ['ignore', 'pipe', 'inherit'],
})
writeFileSync(join(folder, 'sbom.cdx.json'), parts)
const { components } = JSON.parse(parts.toString()) as { components: readonly unknown[] }
process.stdout.write(`sbom.cdx.json  ${components.length} parts\n`)

for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length === 0) {
  process.stdout.write(`\nEverything is right. To publish:\n`)
  for (const { file } of packed) process.stdout.write(`  npm publish ${file} --access public\n`)
}
process.exitCode = problems.length === 0 ? 0 : 1
