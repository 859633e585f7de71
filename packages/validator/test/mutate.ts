import fc from 'fast-check'
import { isObjectOrArray } from '../src/json.ts'
import { deep } from './contract.ts'

/** Boundary values of types, formats and patterns. */
const EDGES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  [],
  {},
  [null],
  { error: null },
  '',
  ' ',
  '2026-11-02 14:30:00Z',
  'https://a b/',
  'a:b c',
  '1'.repeat(11),
  '9'.repeat(400),
  '😀'.repeat(70),
  ...`0 -0 00 x 2026-02-28 2026-02-29 2024-02-29 2026-13-01 2026-1-1 ٢٠٢٦-٠١-٠١
    2026-11-02T14:30:00Z 2026-11-02t14:30:00z 2026-11-02T14:30:00 2026-11-02T24:00:00Z 2026-12-31T23:59:60Z
    2026-12-31T12:59:60Z 2026-12-31T20:59:60-03:00 2026-11-02T14:30:00.5+24:00
    6cc98439-360d-4452-b3c4-57b4d015a819 6CC98439-360D-4452-B3C4-57B4D015A819 6cc98439360d4452b3c457b4d015a819
    urn:uuid:6cc98439-360d-4452-b3c4-57b4d015a819 {6cc98439-360d-4452-b3c4-57b4d015a819}
    https://example.com/a?b#c https://example.com/%zz https://[::1]/ https://[::1 urn:a //a/b about:blank /a/b a:1:b
    1a:b https://é.com https://u:p@h:80/ https://h:x/ http:// :a ?q #f a"b %41 x|y
    10.50 10.5 .5 -1.00 ١.٢٣ E999990102026110214300aB3dE5fG7h
    12345678909 ***.456.789-** 12ABC34501DE35 whsec_ emv dict DueDate Immediate transfer.settled`.split(
    /\s+/,
  ),
]

/** Variants of the seeds: some properties or items changed, removed, added or repeated. */
export function mutationsOf(seeds: readonly unknown[]): fc.Arbitrary<unknown> {
  const pool = [...EDGES, ...seeds.slice(0, 20)]
  const change = fc.record({
    where: fc.nat(),
    key: fc.nat(),
    how: fc.nat(5),
    value: fc.constantFrom(...pool),
    text: fc.string(),
  })
  return fc
    .tuple(fc.constantFrom(...seeds), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([seed, changes]) => {
      const root: Record<string, unknown> = { [ROOT]: structuredClone(seed) }
      for (const change of changes) applyChange(root, change)
      return root[ROOT]
    })
}

/** The property that holds the mutated value. */
const ROOT = 'it'

interface Change {
  readonly where: number
  readonly key: number
  readonly how: number
  readonly value: unknown
  readonly text: string
}

function applyChange(
  root: Record<string, unknown>,
  { where, key, how, value, text }: Change,
): void {
  const nodes = deep(root).filter(isObjectOrArray) as Record<string, unknown>[]
  const node = nodes[where % nodes.length] ?? root
  const keys = Object.keys(node)
  const name = keys[key % Math.max(keys.length, 1)] ?? ROOT
  if (how === 0 && node !== root) remove(node, name)
  else if (how === 1 && node !== root) add(node, text, value)
  else if (how === 2) node[name] = edited(node[name], text, key)
  else node[name] = structuredClone(value)
}

function remove(node: Record<string, unknown>, name: string): void {
  if (Array.isArray(node)) node.splice(Number(name), 1)
  else delete node[name]
}

function add(node: Record<string, unknown>, name: string, value: unknown): void {
  if (Array.isArray(node)) node.push(structuredClone(value))
  else if (name !== '__proto__') node[name] = structuredClone(value)
}

function edited(value: unknown, text: string, place: number): unknown {
  if (typeof value === 'number') return value + (place % 3) - 1
  if (typeof value !== 'string') return text
  const at = place % (value.length + 1)
  return value.slice(0, at) + text.slice(0, 1) + value.slice(at + (place % 2))
}
