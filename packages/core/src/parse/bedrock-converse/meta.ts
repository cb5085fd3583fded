import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'

/** What Bedrock said beyond our vocabulary, in its own words; nothing where every field is absent. */
export function keep(fields: { readonly [field: string]: Json | undefined }): { meta?: Meta } {
  const bedrock = present(fields) as JsonObject
  return Object.keys(bedrock).length === 0 ? {} : { meta: { bedrock } }
}

/** Nothing where no field says anything: Nova sends empty objects. */
export function metadata(fields: object): StreamEvent[] {
  const filled = Object.entries(present(fields) as JsonObject).filter(([, value]) => !isEmpty(value))
  return filled.length === 0 ? [] : [{ type: 'metadata', metadata: Object.fromEntries(filled) }]
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
