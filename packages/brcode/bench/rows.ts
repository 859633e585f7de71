// Compares the codec with a file of codes and expected results, and prints the differences:
//   node bench/rows.ts <file.json>
// The file maps "valid", "tolerated", "malformed" and "emv-not-pix" to rows { code, expect: { fields, issues, ignored } }.
import { readFileSync } from 'node:fs'
import { type BrCode, encode, tryDecode } from '../src/index.ts'

interface Row {
  code: string
  expect: { fields?: Record<string, unknown>; issues?: string[]; ignored?: string[] }
}

const [file] = process.argv.slice(2)
if (!file) {
  console.error('usage: node bench/rows.ts <file.json>')
  process.exit(2)
}
const rows = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Row[]>
let missed = 0

score('valid accepted in strict', 'valid', ({ code }) => tryDecode(code).ok)
score('tolerated refused in strict', 'tolerated', ({ code }) => !tryDecode(code).ok)
score('tolerated decoded in lenient', 'tolerated', ({ code }) => lenient(code) !== undefined)
score('malformed refused in strict', 'malformed', ({ code }) => !tryDecode(code).ok)
score('malformed refused in lenient', 'malformed', ({ code }) => lenient(code) === undefined)
score('not Pix refused in lenient', 'emv-not-pix', ({ code }) => lenient(code) === undefined)
for (const name of ['valid', 'tolerated']) {
  score(
    `${name}: fields as expected`,
    name,
    ({ code, expect }) => differences(code, expect.fields ?? {}).length === 0,
  )
  score(
    `${name}: as many issues as expected`,
    name,
    ({ code, expect }) => lenient(code)?.issues.length === expect.issues?.length,
  )
  score(`${name}: ignored as expected`, name, ({ code, expect }) =>
    same(lenient(code)?.ignored, expect.ignored),
  )
  score(`${name}: written byte for byte`, name, ({ code }) => rewritten(code) === code)
}
process.exitCode = missed === 0 ? 0 : 1

function score(what: string, name: string, holds: (row: Row) => boolean): void {
  const all = rows[name] ?? []
  const wrong = all.filter((row) => !holds(row))
  missed += wrong.length
  console.log(`${String(all.length - wrong.length).padStart(3)}/${String(all.length).padEnd(3)} ${what}`)
  for (const { code, expect } of wrong)
    console.log(`        ${code} ${differences(code, expect.fields ?? {}).join(', ')}`)
}

function lenient(code: string): BrCode | undefined {
  const result = tryDecode(code, { profile: 'lenient' })
  return result.ok ? result.code : undefined
}

function rewritten(code: string): string | undefined {
  const read = lenient(code)
  return read && encode(read, { profile: 'lenient' })
}

/** The file has raw values, so blank and ignored values are looked up in the code. */
function differences(code: string, expected: Record<string, unknown>): string[] {
  const read = lenient(code)
  if (!read) return ['not decoded']
  const objects = Object.fromEntries(read.objects.map(({ id, value }) => [id, value]))
  const known = ['00', '01', read.account, '52', '53', '54', '58', '59', '60', '61', '62', '63']
  const others = read.objects
    .map(({ id }) => id)
    .filter((id) => !known.includes(id) || (id === '51' && read.account === id))
  const actual: Record<string, unknown> = {
    account_id: read.account,
    key: read.key,
    url: read.location,
    recurrence_url: read.recurrence,
    additional_info: read.message,
    fss: read.withdrawalFacilitator,
    charge: read.kind === 'immediate' || read.kind === 'due-date' ? read.kind : undefined,
    amount: read.amount ?? (read.ignored.includes('54') ? objects['54'] : undefined),
    txid: read.txid ?? objects['62']?.match(/05\d\d(\*{3}|.*)/u)?.[1],
    mcc: objects['52'],
    currency: objects['53'],
    country: objects['58'],
    merchant_name: read.merchantName,
    merchant_city: read.merchantCity,
    postal_code: read.postalCode,
    point_of_initiation: read.pointOfInitiation,
    other_root_ids: others.length > 0 ? others : undefined,
  }
  const names = new Set([...Object.keys(actual), ...Object.keys(expected)])
  return [...names]
    .filter((name) => !same(actual[name], expected[name]))
    .map((name) => `${name}: ${actual[name]}`)
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
