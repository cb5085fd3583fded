import { isJsonObject, type Json } from '../../json.ts'

/** What went wrong, in words: an error loses its class on the way, and sometimes its message. */
export function errorMessageOf(error: Json | undefined): string {
  if (typeof error === 'string') return error === '' ? 'An error occurred.' : error
  if (error === undefined || error === null) return 'An error occurred.'
  if (!isJsonObject(error)) return JSON.stringify(error)
  if (typeof error.message === 'string' && error.message !== '') return error.message
  return Object.keys(error).length === 0 ? 'An error occurred.' : JSON.stringify(error)
}
