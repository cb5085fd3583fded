/** `${NAME}` and `${NAME:-default}` are values of the server's own environment, but none of its secrets. */
export function expanded(texts: { readonly [name: string]: string }): { readonly [name: string]: string } {
  const variable = (_text: string, name: string, otherwise = '') =>
    (name.startsWith('MILLRACE_') ? undefined : process.env[name]) ?? otherwise
  const entries = Object.entries(texts).map(([name, text]) => [name, text.replaceAll(VARIABLE, variable)])
  return Object.fromEntries(entries)
}

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/** The names of the variables that texts use. */
export const variablesIn = (texts: { readonly [name: string]: string }): readonly string[] =>
  Object.values(texts).flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name = '']) => name))
