import { isJsonObject, type Json } from '../../json.ts'

const NEEDS: { readonly [op: string]: 'value' | 'from' | undefined } = {
  add: 'value',
  replace: 'value',
  test: 'value',
  move: 'from',
  copy: 'from',
  remove: undefined,
}

/** A tilde that escapes nothing. Searching for the mistake needs no stack, however long the pointer is. */
const BARE_TILDE = /~(?![01])/

/** Whether a patch has exactly the shape that the client checks for. Any other patch would end the stream. */
export function isPatch(patch: Json): boolean {
  return Array.isArray(patch) && patch.every(isOperation)
}

function isOperation(operation: Json): boolean {
  if (!isJsonObject(operation)) return false
  const { op, path, value, from } = operation
  if (typeof op !== 'string' || !Object.hasOwn(NEEDS, op) || !isPointer(path)) return false
  const need = NEEDS[op]
  return need === undefined || (need === 'value' ? value !== undefined : isPointer(from))
}

function isPointer(pointer: Json | undefined): boolean {
  if (typeof pointer !== 'string' || BARE_TILDE.test(pointer)) return false
  return pointer === '' || pointer.startsWith('/')
}
