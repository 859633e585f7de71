/** Another value of the same form: replaces each letter and digit at the end by a random one of its kind. */
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
