/** Any value that survives JSON: what events, segments and chunks are made of. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export type JsonObject = { readonly [key: string]: Json }
