import type { Consumer } from './consumer.ts'

/** The tarballs of the packages, by name. */
export type Tarballs = { readonly [name: string]: string }

export interface Bench {
  readonly tarballs: Tarballs
  /** A new project with these packages of Millrace and these others, installed by npm. It is removed at the end. */
  install(
    name: string,
    own: readonly string[],
    others?: readonly string[],
    environment?: { readonly [name: string]: string },
  ): Promise<Consumer>
}

/** One promise about the packed packages, tried as a user would. */
export interface Check {
  readonly title: string
  /** What was seen; rejects if the promise is broken. */
  run(bench: Bench): Promise<string>
}

export function assertEqual(actual: unknown, expected: unknown, about: string): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (found !== wanted) throw new Error(`${about}: expected ${wanted}, not ${found}`)
}
