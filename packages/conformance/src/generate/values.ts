/**
 * Another value of the same form: each letter and digit of its end replaced by one of its kind. For what has to be new
 * with every request, and keeps its pattern.
 */
export function renewed(value: string, random: () => number, changed = 16): string {
  const start = Math.max(0, value.length - changed)
  const end = [...value.slice(start)].map((it) => randomLike(it, random)).join('')
  return value.slice(0, start) + end
}

function randomLike(character: string, random: () => number): string {
  const kind = ['0123456789', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'].find((it) =>
    it.includes(character),
  )
  return kind ? (kind[Math.floor(random() * kind.length)] ?? character) : character
}
