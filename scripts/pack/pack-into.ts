import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { BuiltPackage } from './build.ts'

/** Packs a built package into a folder, as npm would publish it. Returns the path of the file. */
export function packInto(folder: string, { folder: built }: BuiltPackage): string {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: built,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const packed = JSON.parse(output.toString()) as
    | readonly { filename: string }[]
    | { [name: string]: { filename: string } }
  const [first] = Object.values(packed)
  if (first === undefined) throw new Error(`npm packed nothing in ${built}.`)
  return join(folder, first.filename)
}
