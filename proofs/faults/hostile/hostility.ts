import type { Answer } from '../asking.ts'
import type { Size } from '../fault.ts'
import type { ServerProcess } from '../server-process.ts'

/** Something that a client should not do. Gives what is wrong with how the server took it. */
export interface Hostility {
  readonly name: string
  attack(server: ServerProcess, size: Size): Promise<readonly string[]>
}

/** What is wrong with a refusal: it must have this status and say why, for the program and for the person. */
export function refused({ status, text }: Answer, wanted: number, code?: string): readonly string[] {
  const told = errorOf(text)
  const isClear = typeof told?.code === 'string' && typeof told.message === 'string' && told.message !== ''
  if (status === wanted && isClear && (code === undefined || told.code === code)) return []
  return [`answered ${status} ${text.slice(0, 120)}, not ${wanted} ${code ?? ''}`]
}

function errorOf(text: string): { readonly code?: unknown; readonly message?: unknown } | undefined {
  try {
    return (JSON.parse(text) as { error?: object }).error
  } catch {
    return undefined
  }
}
