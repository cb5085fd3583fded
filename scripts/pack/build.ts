import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtFile, entryPointsOf, type Manifest, manifestIn, packedManifest, typesOf } from './manifest.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where built packages stand, each as it is packed. */
const BUILT = join(root, 'dist')

/** The packages, each after those that it imports. */
const order = ['core', 'agent', 'server', 'react', 'testkit', 'millrace'] as const
type PackageFolder = (typeof order)[number]

export interface BuiltPackage {
  readonly manifest: Manifest
  readonly folder: string
}

/** What a package holds beside its built sources. */
const beside: { readonly [Folder in PackageFolder]?: (from: string, to: string) => readonly string[] } = {
  agent(from, to) {
    cpSync(join(from, 'millrace_emit.py'), join(to, 'millrace_emit.py'))
    return ['millrace_emit.py']
  },
  millrace(from, to) {
    const command = readFileSync(join(from, 'bin/millrace.js'), 'utf8')
    mkdirSync(join(to, 'bin'))
    writeFileSync(join(to, 'bin/millrace.js'), replaced(command, '../src/main.ts', '../dist/main.js'), { mode: 0o755 })
    cpSync(join(root, 'apps/web/dist'), join(to, 'app'), { recursive: true })
    return ['app', 'bin']
  },
}

/** Builds every package. The app must have been built before. */
export function buildPackages(): readonly BuiltPackage[] {
  rmSync(BUILT, { recursive: true, force: true })
  return order.map(build)
}

function build(folder: PackageFolder): BuiltPackage {
  const from = join(root, 'packages', folder)
  const to = join(BUILT, folder)
  mkdirSync(to, { recursive: true })
  compile(folder, from, to)
  const manifest = manifestIn(from)
  const more = beside[folder]?.(from, to) ?? []
  writeFileSync(join(to, 'package.json'), jsonText(packedManifest(manifest, ['dist', ...more])))
  cpSync(join(from, 'README.md'), join(to, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'))
  return { manifest, folder: to }
}

/** Compiles against the declarations of the packages that were built before, not against their sources. */
function compile(folder: PackageFolder, from: string, to: string): void {
  const paths = order.slice(0, order.indexOf(folder)).flatMap((before) => {
    const manifest = manifestIn(join(root, 'packages', before))
    return entryPointsOf(manifest).map(([path, source]) => [
      join(manifest.name, path),
      [join(BUILT, before, typesOf(builtFile(source)))],
    ])
  })
  const config = {
    extends: join(from, folder === 'react' ? 'tsconfig.json' : '../../tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      rewriteRelativeImportExtensions: true,
      declaration: true,
      sourceMap: true,
      inlineSources: true,
      skipLibCheck: true,
      rootDir: join(from, 'src'),
      outDir: join(to, 'dist'),
      paths: Object.fromEntries(paths),
    },
    include: [join(from, 'src')],
    exclude: [join(from, 'src/**/*.test.ts'), join(from, 'src/**/*.test.tsx')],
  }
  const path = join(BUILT, `tsconfig.${folder}.json`)
  writeFileSync(path, jsonText(config))
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', path], { stdio: 'inherit' })
  copyStyles(from, to)
  for (const built of globSync('**/*.{js,d.ts}', { cwd: join(to, 'dist') })) nameBuiltFiles(join(to, 'dist', built))
}

/** Where a built file may still name a source: imports of declarations, and the addresses of workers. */
const SOURCE_NAME = /((?:from|import|new URL) ?\(?['"]\.{1,2}\/[^'"]+)\.tsx?(['"])/g

function nameBuiltFiles(path: string): void {
  const text = readFileSync(path, 'utf8')
  const named = text.replaceAll(SOURCE_NAME, '$1.js$2')
  if (named !== text) writeFileSync(path, named)
}

function copyStyles(from: string, to: string): void {
  // Fonts stand beside their style sheet, with their licences.
  for (const style of globSync('**/*.{css,woff2,txt}', { cwd: join(from, 'src') })) {
    const target = join(to, 'dist', style)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(from, 'src', style), target)
    if (target.endsWith('.css')) writeFileSync(typesOf(target), 'export {}\n')
  }
}

function replaced(text: string, find: string, replacement: string): string {
  if (text.split(find).length !== 2) throw new Error(`"${find}" does not occur exactly once.`)
  return text.replace(find, replacement)
}

const jsonText = (value: object) => `${JSON.stringify(value, null, 2)}\n`
