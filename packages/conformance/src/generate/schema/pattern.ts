/** A regular expression in the form needed for generating strings (ECMA-262, section 22.2.1). */
export type Pattern =
  | { readonly kind: 'character'; readonly ranges: readonly Range[] }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly branches: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly of: Pattern; readonly min: number; readonly max: number }

/** Code points, both ends included. */
export type Range = readonly [first: number, last: number]

/** Anchors and assertions generate nothing. The caller tests each string with the expression itself. */
const NOTHING: Pattern = { kind: 'sequence', parts: [] }

/** The characters for a negated class or a dot: ASCII, Latin, Cyrillic and emoji outside the BMP. */
const UNIVERSE: readonly Range[] = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x400, 0x4ff],
  [0x1f600, 0x1f64f],
]

interface Reader {
  readonly text: string
  at: number
}

/** Parses a regular expression; undefined if its syntax is not supported. */
export function readPattern(text: string): Pattern | undefined {
  const reader = { text, at: 0 }
  try {
    const pattern = readChoice(reader)
    return reader.at === text.length ? pattern : undefined
  } catch {
    return undefined
  }
}

/** Uses the `u` flag if possible, as the validator does. */
export function regExpOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}

function readChoice(reader: Reader): Pattern {
  const branches = [readSequence(reader)]
  while (take(reader, '|')) branches.push(readSequence(reader))
  return branches.length === 1 ? (branches[0] ?? NOTHING) : { kind: 'choice', branches }
}

function readSequence(reader: Reader): Pattern {
  const parts: Pattern[] = []
  while (reader.at < reader.text.length && !'|)'.includes(peek(reader))) parts.push(readRepeat(reader))
  return { kind: 'sequence', parts: parts.filter((part) => part !== NOTHING) }
}

function readRepeat(reader: Reader): Pattern {
  const of = readAtom(reader)
  const quantifier = match(reader, /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/)
  if (!quantifier) return of
  const [, sign, least, comma, most] = quantifier
  if (sign) return { kind: 'repeat', of, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }
  const min = Number(least)
  return { kind: 'repeat', of, min, max: most ? Number(most) : comma ? Infinity : min }
}

function readAtom(reader: Reader): Pattern {
  if (take(reader, '^') || take(reader, '$') || match(reader, /^\\[bB]/)) return NOTHING
  if (match(reader, /^\((?=\?<?[=!])/)) return skipAssertion(reader)
  if (match(reader, /^\((\?:|\?<[^>]+>)?/)) return readGroup(reader)
  if (take(reader, '[')) return readClass(reader)
  if (take(reader, '.')) return { kind: 'character', ranges: UNIVERSE }
  return { kind: 'character', ranges: readEscaped(reader) }
}

function readGroup(reader: Reader): Pattern {
  const inner = readChoice(reader)
  if (!take(reader, ')')) throw new SyntaxError('a group must end')
  return inner
}

function skipAssertion(reader: Reader): Pattern {
  match(reader, /^\?<?[=!]/)
  readGroup(reader)
  return NOTHING
}

function readClass(reader: Reader): Pattern {
  const negated = take(reader, '^')
  const ranges: Range[] = []
  while (!take(reader, ']')) ranges.push(...readMember(reader))
  return { kind: 'character', ranges: negated ? complement(ranges) : ranges }
}

function readMember(reader: Reader): readonly Range[] {
  const from = readEscaped(reader, true)
  if (!/^-[^\]]/.test(reader.text.slice(reader.at, reader.at + 2))) return from
  reader.at += 1
  const to = readEscaped(reader, true)
  return [[from[0]?.[0] ?? 0, to[0]?.[1] ?? 0]]
}

const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  d: [[0x30, 0x39]],
  w: [
    [0x61, 0x7a],
    [0x41, 0x5a],
    [0x30, 0x39],
    [0x5f, 0x5f],
  ],
  s: [[0x20, 0x20]],
}
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }

/** One character or character class, escaped or not. */
function readEscaped(reader: Reader, isInClass = false): readonly Range[] {
  if (!take(reader, '\\')) return one(next(reader))
  const property = match(reader, /^[pP]\{[^}]+\}/)
  if (property) return ofClass(`\\${property[0]}`)
  const hex = match(reader, /^(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2}))/i)
  if (hex) return one(String.fromCodePoint(Number.parseInt(hex.slice(1).find(Boolean) ?? '0', 16)))
  const letter = next(reader)
  const known = CLASSES[letter.toLowerCase()]
  if (known) return letter === letter.toLowerCase() ? known : ofClass(`\\${letter}`)
  if (/[1-9kc]/.test(letter)) throw new SyntaxError('a reference back is not followed')
  const control = letter === 'b' && isInClass ? 8 : CONTROLS[letter]
  return control === undefined ? one(letter) : [[control, control]]
}

/** Tests each character, since the engine knows the class. */
function ofClass(source: string): readonly Range[] {
  const regExp = new RegExp(`^${source}$`, 'u')
  return pointsOf(UNIVERSE).flatMap((point): Range[] =>
    regExp.test(String.fromCodePoint(point)) ? [[point, point]] : [],
  )
}

function complement(ranges: readonly Range[]): Range[] {
  const isIn = (point: number) => ranges.some(([first, last]) => point >= first && point <= last)
  return pointsOf(UNIVERSE).flatMap((point): Range[] => (isIn(point) ? [] : [[point, point]]))
}

function pointsOf(ranges: readonly Range[]): number[] {
  return ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
}

function one(character: string): readonly Range[] {
  const point = character.codePointAt(0) ?? 0
  return [[point, point]]
}

function peek({ text, at }: Reader): string {
  return text[at] ?? ''
}

function next(reader: Reader): string {
  const point = reader.text.codePointAt(reader.at)
  if (point === undefined) throw new SyntaxError('a character must follow')
  const character = String.fromCodePoint(point)
  reader.at += character.length
  return character
}

function take(reader: Reader, character: string): boolean {
  if (peek(reader) !== character) return false
  reader.at += 1
  return true
}

function match(reader: Reader, regExp: RegExp): RegExpExecArray | undefined {
  const found = regExp.exec(reader.text.slice(reader.at)) ?? undefined
  reader.at += found?.[0].length ?? 0
  return found
}
