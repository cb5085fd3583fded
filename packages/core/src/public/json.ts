/** Values of JSON, and what the other packages do with them. */
export { type Present, present } from '../data/present.ts'
export { isSameJson } from '../data/same-json.ts'
export { isJsonObject, isText, isTooDeep, type Json, type JsonObject, MOST_LEVELS } from '../json.ts'
