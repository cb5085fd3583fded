import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Consumer } from './consumer.ts'

interface PackedManifest {
  readonly exports?: { readonly [path: string]: unknown }
}

/** The entry points of an installed package, as a program imports them; without style sheets and its manifest. */
export function entryPointsOf({ folder }: Consumer, name: string): readonly string[] {
  const text = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
  const { exports = {} } = JSON.parse(text) as PackedManifest
  return Object.keys(exports)
    .filter((path) => !/\.(?:css|json)$/.test(path))
    .map((path) => join(name, path))
}

/** A program that uses every entry point of these packages, so that a compiler reads all of their declarations. */
export function programOf(consumer: Consumer, names: readonly string[]): string {
  const targets = names.flatMap((name) => entryPointsOf(consumer, name))
  const imports = targets.map((target, index) => `import * as entry${index} from '${target}'`)
  const uses = targets.map((_, index) => `entry${index}`)
  return `${imports.join('\n')}\nconsole.log([${uses.join(', ')}].length)\n`
}

/** The settings of a compiler that reads declarations as strictly as it can. */
export function compilerSettings(moduleResolution: 'nodenext' | 'bundler'): string {
  const module = moduleResolution === 'nodenext' ? 'nodenext' : 'esnext'
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module,
    moduleResolution,
    jsx: 'react-jsx',
    types: ['node'],
    exactOptionalPropertyTypes: true,
  }
  return JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] })
}
