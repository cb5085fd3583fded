/** The name that a misspelt one most probably means; undefined if none is near. */
export function nearestName(misspelt: string, names: readonly string[]): string | undefined {
  const most = Math.max(2, Math.floor(misspelt.length / 3))
  let nearest: string | undefined
  let fewest = most + 1
  for (const name of names) {
    const edits = editsBetween(misspelt.toLowerCase(), name.toLowerCase(), fewest)
    if (edits < fewest && edits < name.length) [nearest, fewest] = [name, edits]
  }
  return nearest
}

/** How many letters must be added, removed or replaced; at least `enough` if it is more than that. */
function editsBetween(one: string, other: string, enough: number): number {
  if (Math.abs(one.length - other.length) >= enough) return enough
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [column, against] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === against ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? enough
}
