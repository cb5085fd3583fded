import type { Answer } from '../asking.ts'
import type { Size } from '../fault.ts'
import type { ServerProcess } from '../server-process.ts'

/** Something that a client should not do. `attack` returns what is wrong with the server's reaction. */
export interface Hostility {
  readonly name: string
  attack(server: ServerProcess, size: Size): Promise<readonly string[]>
}

/** What is wrong with a refusal: it must have this status, a code for the program and a sentence for the person. */
export function refused({ status, text }: Answer, expectedStatus: number, code?: string): readonly string[] {
  const error = errorOf(text)
  const isClear = typeof error?.code === 'string' && typeof error.message === 'string' && error.message !== ''
  if (status === expectedStatus && isClear && (code === undefined || error.code === code)) return []
  return [`answered ${status} ${text.slice(0, 120)}, not ${expectedStatus} ${code ?? ''}`]
}

function errorOf(text: string): { readonly code?: unknown; readonly message?: unknown } | undefined {
  try {
    return (JSON.parse(text) as { error?: object }).error
  } catch {
    return undefined
  }
}
