import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import type { Json } from '../../json.ts'

/** What OpenAI wants back with the next request, in its own words; nothing where every field is absent. */
export function openaiMeta(fields: { readonly [field: string]: Json | undefined }): { meta?: Meta } {
  const openai = present(fields) as { readonly [field: string]: Json }
  return Object.keys(openai).length === 0 ? {} : { meta: { openai } }
}
