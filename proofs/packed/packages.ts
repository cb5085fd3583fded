import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuiltPackage } from '../../scripts/pack/build.ts'
import type { Consumer } from './consumer.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Installs built packages without npm and without a network: each is copied as it would be packed, and what it depends
 * on is linked from the repository's own packages.
 */
export function copyInto(consumer: Consumer, packages: readonly BuiltPackage[], others: readonly string[] = []): void {
  const modules = join(consumer.folder, 'node_modules')
  for (const { manifest, folder } of packages) {
    cpSync(folder, join(modules, manifest.name), { recursive: true })
  }
  const needed = packages.flatMap(({ folder }) => dependenciesOf(folder))
  for (const name of new Set([...needed, ...others])) linkInto(modules, name)
  mkdirSync(join(modules, '.bin'), { recursive: true })
  symlinkSync(join(modules, 'millrace/bin/millrace.js'), join(modules, '.bin/millrace'))
}

function dependenciesOf(folder: string): readonly string[] {
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return [...Object.keys(dependencies), ...Object.keys(peerDependencies)].filter(
    (name) => !name.startsWith('@millrace/'),
  )
}

/** A workspace may have a version of its own beside the one at the root. */
function linkInto(modules: string, name: string): void {
  const target = join(modules, name)
  const [found] = ['', 'packages/server', 'packages/react', 'packages/core']
    .map((workspace) => join(root, workspace, 'node_modules', name))
    .filter((path) => existsSync(path))
  if (found === undefined || existsSync(target)) return
  mkdirSync(dirname(target), { recursive: true })
  symlinkSync(found, target)
}
