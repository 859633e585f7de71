/** The parameters of Punycode (RFC 3492, section 5). */
const [BASE, T_MIN, T_MAX, SKEW, DAMP] = [36, 1, 26, 38, 700]

/** Decodes Punycode; undefined if invalid (RFC 3492, section 6.2). */
export function decoded(punycode: string): string | undefined {
  const end = punycode.lastIndexOf('-')
  const output = [...punycode.slice(0, Math.max(0, end))].map((it) => it.charCodeAt(0))
  const input = punycode.slice(end + 1)
  let [point, i, bias, at] = [128, 0, 72, 0]
  while (at < input.length) {
    const before = i
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(input[at++])
      if (digit === undefined || i > 0x10ffff * 64) return undefined
      i += digit * weight
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias))
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    bias = adapted(i - before, output.length + 1, before === 0)
    point += Math.floor(i / (output.length + 1))
    i %= output.length + 1
    if (point > 0x10ffff) return undefined
    output.splice(i++, 0, point)
  }
  return String.fromCodePoint(...output)
}

function digitOf(character = ''): number | undefined {
  return /^[a-z\d]$/i.test(character) ? (Number.parseInt(character, 36) + 26) % 36 : undefined
}

function adapted(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / length)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}
